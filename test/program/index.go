package program

import (
	"os"
	"path/filepath"
)

// indexFile is the classifier's index in a data folder. To build it takes more than a
// second of processor time, so the programs of all tests share the first one: the program
// itself checks that it fits.
const indexFile = "classifier.index"

// borrowIndex gives the data folder the shared index, if there is one.
func (p Program) borrowIndex() { p.shareIndex(func(shared, own string) { _ = os.Link(shared, own) }) }

// lendIndex shares the index of the data folder, if it has one and the others do not.
func (p Program) lendIndex() { p.shareIndex(func(shared, own string) { _ = os.Link(own, shared) }) }

// shareIndex calls link with the two files. A link that cannot be made costs only time.
func (p Program) shareIndex(link func(shared, own string)) {
	if folder, err := Folder(); err == nil {
		link(filepath.Join(folder, indexFile), filepath.Join(p.Data(), indexFile))
	}
}
