// Package faults holds tests alone: they run the real program, kill it, stop it and
// take its database away, and hold it to what it has acknowledged.
package faults
