//go:build race

package extract_test

// raced says that the race detector slows the tests down.
const raced = true
