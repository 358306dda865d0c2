// Package hook answers what Metacontroller asks about a FlameCluster. Its three
// functions Sync, Finalize and Customize are pure: the answer depends on the
// request and on the time that is passed in, and on nothing else.
package hook
