// Package observed is what a hook request says exists. Each kind has a slim view
// with only the fields that decisions depend on, since decoding whole objects is
// most of the cost of an answer.
package observed
