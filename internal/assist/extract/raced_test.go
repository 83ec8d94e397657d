//go:build race

package extract_test

// raced tells that the race detector slows everything down.
const raced = true
