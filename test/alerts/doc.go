// Package alerts tests the alerting rules of the component monitoring with
// Prometheus' own engine: on invented series, at which moment does which alert fire.
package alerts
