package classify

import "math"

// lists are many lists in one piece of memory.
type lists[T any] struct {
	start []int32 // of each list in all, and the end of the last one
	all   []T
}

// of returns the list with an id.
func (l *lists[T]) of(id int32) []T { return l.all[l.start[id]:l.start[id+1]] }

// len is the number of lists.
func (l *lists[T]) len() int { return len(l.start) - 1 }

// joined copies separate lists into one piece of memory.
func joined[T any](separate [][]T) lists[T] {
	size := 0
	for _, s := range separate {
		size += len(s)
	}
	l := lists[T]{start: make([]int32, 1, len(separate)+1), all: make([]T, 0, size)}
	for _, s := range separate {
		l.all = append(l.all, s...)
		l.start = append(l.start, int32(len(l.all))) // #nosec G115 -- the tables are limited
	}
	return l
}

// idf is the weight of a feature that seen of n things have (inverse document frequency),
// to 1/4096: machines may differ in the last bits of a logarithm.
func idf(n, seen float64) float64 {
	const steps = 4096
	return math.Round(math.Log(1+(n-seen+0.5)/(seen+0.5))*steps) / steps
}
