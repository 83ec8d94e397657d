package notification_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// scanned is what a blunt search of the text finds in one response.
type scanned struct {
	functionCode, messageID, lrn, mrn, issuedAt, status string
	errors, taxes, amendments                           int
}

var (
	prefixes  = regexp.MustCompile(`<(/?)[A-Za-z_0-9]+:`)
	corrected = regexp.MustCompile(`(?s)<Declaration>\s*<FunctionCode>.*?</Declaration>`)
	response  = regexp.MustCompile(`(?s)<Response[ >].*?</Response>`)
	header    = regexp.MustCompile(`(?s)<Declaration>(.*)</Declaration>`)
	issued    = regexp.MustCompile(`(?s)<IssueDateTime>\s*<DateTimeString[^>]*>([^<]*)<`)
	dated     = regexp.MustCompile(`^(\d{14})(Z|[+-]\d\d)$`)
)

func scan(data []byte) (all []scanned) {
	text := prefixes.ReplaceAllString(string(data), "<$1")
	text = corrected.ReplaceAllString(text, "")
	for _, r := range response.FindAllString(text, -1) {
		declaration := header.FindString(r)
		rest := strings.Replace(r, declaration, "", 1)
		all = append(all, scanned{
			functionCode: first(rest, "FunctionCode"),
			messageID:    first(rest, "FunctionalReferenceID"),
			lrn:          first(declaration, "FunctionalReferenceID"),
			mrn:          first(declaration, "ID"),
			status:       first(rest, "NameCode"),
			issuedAt:     submatch(issued, rest),
			errors:       strings.Count(rest, "<Error>"),
			amendments:   strings.Count(rest, "<Amendment>"),
			taxes:        strings.Count(declaration, "<TypeCode>"),
		})
	}
	return all
}

func first(text, name string) string {
	return submatch(regexp.MustCompile(`<`+name+`>\s*([^<]*?)\s*</`), text)
}

func submatch(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// instantOf works a date out by hand: local time less the offset.
func instantOf(text string) time.Time {
	m := dated.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	local, _ := time.Parse("20060102150405", m[1])
	hours, _ := strconv.Atoi(strings.TrimSuffix(m[2], "Z"))
	return local.Add(-time.Duration(hours) * time.Hour)
}

func samples(t testing.TB) []string {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "notifications", "*.xml"))
	if len(files) == 0 {
		t.Skip("the published messages are not beside the project")
	}
	return files
}

// Every message that customs has published is read as a blunt search of its text
// reads it, with its namespaces and without them.
func TestPublishedMessages(t *testing.T) {
	responses, taxes, faults := 0, 0, 0
	for _, file := range samples(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := scan(data)
		for _, form := range [][]byte{data, stripped(data)} {
			all, err := notification.Decode(form)
			if err != nil || len(all) != len(want) {
				t.Errorf("%s: %d responses instead of %d, %v", filepath.Base(file), len(all), len(want), err)
				continue
			}
			for i, n := range all {
				compare(t, filepath.Base(file), n, want[i])
			}
		}
		for _, w := range want {
			responses, taxes, faults = responses+1, taxes+w.taxes, faults+w.errors
		}
	}
	t.Logf("%d responses, %d tax lines, %d errors", responses, taxes, faults)
}

// stripped takes prefixes and declarations of namespaces away, as HMRC's own publication did.
func stripped(data []byte) []byte {
	text := prefixes.ReplaceAllString(string(data), "<$1")
	return []byte(regexp.MustCompile(`\sxmlns(:\w+)?=("[^"]*"|'[^']*')`).ReplaceAllString(text, ""))
}

func compare(t *testing.T, file string, n notification.Notification, want scanned) {
	t.Helper()
	got := scanned{
		functionCode: n.FunctionCode, messageID: n.MessageID, lrn: n.LRN, mrn: n.MRN, issuedAt: n.IssuedAt.Text, status: n.StatusCode(),
		errors: len(n.Errors), taxes: len(n.Taxes), amendments: len(n.Amendments),
	}
	if got != want {
		t.Errorf("%s:\n got %+v\nwant %+v", file, got, want)
	}
	if n.FunctionCode == "" || n.Name == "" || n.MessageID == "" {
		t.Errorf("%s: code %q, name %q, message %q", file, n.FunctionCode, n.Name, n.MessageID)
	}
	if !n.IssuedAt.Time.Equal(instantOf(want.issuedAt)) || n.IssuedAt.Time.IsZero() {
		t.Errorf("%s: issued at %v, text %s", file, n.IssuedAt.Time, want.issuedAt)
	}
	for _, e := range n.Errors {
		if e.Code == "" || len(e.Pointers) > 1 {
			t.Errorf("%s: error %+v", file, e)
		}
	}
	for _, x := range n.Taxes {
		if x.Item < 1 || x.Type == "" || x.Assessed.Value == nil || (x.Payable.Value == nil) != (x.Payable.Text == "") {
			t.Errorf("%s: tax %+v", file, x)
		}
	}
}
