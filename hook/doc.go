// Package hook answers what Metacontroller asks about a FlameCluster. Its three
// functions Sync, Finalize and Customize are pure: the answer depends on the
// request and on the time that is passed in, and on nothing else. A Memo answers as
// Sync does, and faster about clusters that it knows.
package hook
