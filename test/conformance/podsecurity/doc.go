// Package podsecurity holds every pod that comes out of this repository against the
// Pod Security Standards, with the evaluator that the API server uses.
package podsecurity
