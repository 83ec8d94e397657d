package official

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// addCodes adds to a nomenclature the codes of recorded answers that are not in it, with their headings and chapters. Without such
// a code the tree stays the one that it is, as does each chapter that the answers contradict: their measures are used all the same.
func addCodes(s *tariff.Snapshot, recorded []*recording.Recording) {
	var paths [][]nomenclature.Node
	for _, r := range recorded {
		if _, ok := s.Tree.Find(r.Code); !ok && len(r.Lines) > 1 && nomenclature.IsChapter(r.Lines[0].Code) {
			paths = append(paths, pathOf(r))
		}
	}
	if len(paths) == 0 {
		return
	}
	slices.SortStableFunc(paths, func(a, b []nomenclature.Node) int { return strings.Compare(a[len(a)-1].Code, b[len(b)-1].Code) })
	if tree, err := s.Tree.With(paths); err == nil {
		s.Tree = tree
		return
	}
	for len(paths) > 0 {
		end := slices.IndexFunc(paths, func(p []nomenclature.Node) bool { return p[0].Code != paths[0][0].Code })
		if end < 0 {
			end = len(paths)
		}
		if tree, err := s.Tree.With(paths[:end]); err == nil {
			s.Tree = tree
		}
		paths = paths[end:]
	}
}

// pathOf are the lines of a recorded answer, from the chapter down to the code.
func pathOf(r *recording.Recording) (path []nomenclature.Node) {
	for _, l := range r.Lines {
		path = append(path, nomenclature.Node{Code: l.Code, Suffix: l.Suffix, Description: l.Description, Declarable: l.Declarable})
	}
	return path
}
