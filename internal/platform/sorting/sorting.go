// Package sorting sorts short lists with little code in the program.
package sorting

import "slices"

// Stable sorts a list and keeps the order of what is equal. The compiler makes some 10 kB of slices.SortStableFunc for each type of
// elements; here it sorts places, which all lists have in common. Where many thousands are sorted, slices is faster.
func Stable[E any](all []E, compare func(a, b E) int) {
	places := make([]int, len(all))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(i, j int) int { return compare(all[i], all[j]) })
	sorted := make([]E, len(all))
	for i, place := range places {
		sorted[i] = all[place]
	}
	copy(all, sorted)
}
