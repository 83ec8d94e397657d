// Package lazyregexp compiles regular expressions at their first use. The program has more than a hundred of them,
// most commands use none, and compiling them all takes a tenth of the time to start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use. Its methods are those of regexp.Regexp.
type Regexp struct {
	expression string
	once       sync.Once
	made       *regexp.Regexp
}

// New returns a regular expression. Its first use panics if it cannot be compiled. A variable of a package that New
// initialises needs no code at the start.
func New(expression string) *Regexp { return &Regexp{expression: expression} }

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(func() { r.made = regexp.MustCompile(r.expression) })
	return r.made
}

// MatchString reports whether the text contains a match.
func (r *Regexp) MatchString(text string) bool { return r.compiled().MatchString(text) }

// FindString returns the leftmost match, or "".
func (r *Regexp) FindString(text string) string { return r.compiled().FindString(text) }

// FindStringIndex returns where the leftmost match is, or nil.
func (r *Regexp) FindStringIndex(text string) []int { return r.compiled().FindStringIndex(text) }

// FindStringSubmatch returns the leftmost match and its groups, or nil.
func (r *Regexp) FindStringSubmatch(text string) []string {
	return r.compiled().FindStringSubmatch(text)
}

// FindStringSubmatchIndex returns where the leftmost match and its groups are, or nil.
func (r *Regexp) FindStringSubmatchIndex(text string) []int {
	return r.compiled().FindStringSubmatchIndex(text)
}

// FindAllString returns up to n matches; all if n is negative.
func (r *Regexp) FindAllString(text string, n int) []string {
	return r.compiled().FindAllString(text, n)
}

// FindAllStringIndex returns where up to n matches are; all if n is negative.
func (r *Regexp) FindAllStringIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringIndex(text, n)
}

// FindAllStringSubmatch returns up to n matches and their groups; all if n is negative.
func (r *Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(text, n)
}

// FindAllStringSubmatchIndex returns where up to n matches and their groups are; all if n is negative.
func (r *Regexp) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(text, n)
}

// ReplaceAllString replaces all matches; $1 in the replacement is the first group.
func (r *Regexp) ReplaceAllString(text, replacement string) string {
	return r.compiled().ReplaceAllString(text, replacement)
}

// ReplaceAllStringFunc replaces all matches by what repl returns for each.
func (r *Regexp) ReplaceAllStringFunc(text string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(text, repl)
}

// Split returns the up to n parts of the text between the matches; all if n is negative.
func (r *Regexp) Split(text string, n int) []string { return r.compiled().Split(text, n) }
