// Package kstatus holds the statuses that flame-hook writes against kstatus, the
// library with which Flux, Helm and kpt decide whether an object is done.
package kstatus
