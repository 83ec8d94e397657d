package origin

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// The rules of Australia’s agreement are published as a table in the short words of its annex, not as rule sets. It is read as rule sets in
// the words of the others: CTH is "A change from any other heading".

// tableHeader is the first line of a table that has a header.
const tableHeader = "chapter\ths2017\tdescription\trule"

// Columns of a table.
const (
	tableChapter = iota
	tableCode
	tableDescription
	tableRule
	tableColumns
)

// tableName is the name of a table, which says the scheme: australia_psr_source.tsv.
var tableName = lazyregexp.New(`_psr[^/\\]*\.tsv$`)

// maxFirstLine is more than the longest published line in bytes.
const maxFirstLine = 4096

// isTable reports whether a file is a table. Some have no header: then the name says that it is one, and the first line is a row.
func isTable(name string, content []byte) bool {
	line, _, _ := strings.Cut(string(content[:min(len(content), maxFirstLine)]), "\n")
	line = strings.TrimPrefix(line, "\ufeff")
	if isHeader(line) {
		return true
	}
	row := tableRow(line)
	return tableName.MatchString(name) && len(row) == tableColumns && tableNumber.MatchString(strings.TrimSpace(row[tableCode]))
}

func isHeader(line string) bool { return strings.TrimSpace(line) == tableHeader }

func tableRow(line string) []string { return strings.Split(strings.TrimRight(line, "\r\n"), "\t") }

// tableScheme reads the scheme from the name of a table, such as australia_psr_source.tsv.
func tableScheme(name string) string {
	scheme, _, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".tsv"), "_psr")
	return scheme
}

var tableNumber = lazyregexp.New(`^\d{2}(?:\d{2}(?:\.?\d{1,2})?)?$`)

// tableRules returns the rule sets of a table. Lines without a rule are headings.
func tableRules(content []byte) ([]byte, error) {
	var list struct {
		Sets []publishedSet `json:"rule_sets"`
	}
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		row := tableRow(line)
		switch {
		case number == 1 && isHeader(line) || len(row) == 1 && row[0] == "":
			continue
		case len(row) != tableColumns:
			return nil, fmt.Errorf("line %d has %d columns, not %d", number, len(row), tableColumns)
		case strings.TrimSpace(row[tableRule]) == "":
			continue
		}
		code := strings.TrimSpace(row[tableCode])
		if !tableNumber.MatchString(code) {
			return nil, fmt.Errorf("line %d: %q is not a code of two to six digits", number, code)
		}
		digits := strings.ReplaceAll(code, ".", "")
		list.Sets = append(list.Sets, publishedSet{
			Heading: code, Subdivision: strings.TrimSpace(row[tableDescription]), Min: filled(digits, "0"), Max: filled(digits, "9"),
			Rules: tableAlternatives(row[tableRule], row[tableChapter]),
		})
	}
	return json.Marshal(list)
}

var tableOr = lazyregexp.New(`\s*;\s*or\s*(?:\\n)?\s*`)

// sectionNotes stands for the notes on chemical goods. They are alternatives to the rules of their chapters, and the table does not have
// them: what fails its rules is left to a person.
const sectionNotes = "Alternatively, a process of the section notes on chemical products."

var chapterOfNotes = lazyregexp.New(`^(?:2[7-9]|3\d|40)$`)

// tableAlternatives returns the alternatives of a rule in the words of other schemes.
func tableAlternatives(text, chapter string) (all []publishedRule) {
	or := "or"
	for _, alternative := range tableOr.Split(strings.TrimSpace(text), -1) {
		all = append(all, publishedRule{Rule: tableWords(alternative), Operator: &or})
	}
	if chapterOfNotes.MatchString(chapter) {
		all = append(all, publishedRule{Rule: sectionNotes, Operator: &or})
	}
	return all
}

var (
	tableContent = lazyregexp.New(`^RVC(\d{1,2})$`)
	tableChange  = lazyregexp.New(`^(CC|CTH|CTSH)(?: except from ((?:heading |sub-heading )?[\d.]+(?:(?:, | or | to )[\d.]+)*))?$`)
	tableCodes   = lazyregexp.New(`(\d{4})(?:\.(\d{2}))?`)
	tableLevels  = map[string]string{"CC": "chapter", "CTH": "heading", "CTSH": "subheading"}
)

// tableWords returns an alternative in the words of other schemes. One of another form stays as it is.
func tableWords(text string) string {
	text = strings.TrimSpace(text)
	if m := tableContent.FindStringSubmatch(text); m != nil {
		return "There is a regional value content of not less than:\n\n- a) " + m[1] + "% under the build-up method.\n- b) " + m[1] + "% under the build-down method."
	}
	m := tableChange.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	words := "A change from any other " + tableLevels[m[1]]
	if m[2] != "" {
		codes := strings.TrimPrefix(strings.TrimPrefix(m[2], "sub-"), "heading ")
		codes = tableCodes.ReplaceAllStringFunc(codes, func(code string) string {
			if strings.Contains(code, ".") {
				return "subheading " + strings.ReplaceAll(code, ".", "")
			}
			return "heading " + code
		})
		words += ", except from " + codes
	}
	return words + "."
}
