// Package flameconf renders the two files that Flame reads: flame-cluster.yaml
// for the daemons and flame.yaml for clients. It also holds what each version of
// Flame understands, and checks a spec against it.
//
// Flame ignores unknown keys without a word, ends with exit code 0 when it meets
// an unknown policy, and takes any storage URL that it does not recognize for the
// name of an SQLite file. So whatever a version can't do has to be refused here.
//
// Comments that name a file and a line mean Flame's source at tag v0.6.0, and
// with the prefix main: its main branch at commit 7415a2c6.
package flameconf
