// Package status says what a Flame cluster is doing, from observed objects only.
//
// Everything that it publishes is a pure function of one Input: no clock, no
// counters. What has to be remembered between two answers is remembered in the
// status itself, which every request carries back: when a condition last flipped,
// whether the cluster was ever ready, whether a change is on its way.
package status
