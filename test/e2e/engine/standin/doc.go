// Package standin is a small engine that treats hooks and objects as Metacontroller
// v4.17 does, as far as a CompositeController with namespaced parents and the
// update strategies InPlace, Recreate and OnDelete goes. It exists so that scenarios
// run on machines without a binary of Metacontroller, and it keeps the sharp edges
// that matter to a hook: answers without children delete them, an object of the
// same name is silently left alone, comparison is of raw JSON, and so on.
//
// Not in it: rolling update strategies, parents without a namespace, ETags.
package standin
