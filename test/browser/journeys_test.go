package browser

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// journeys are the main tasks in the console, and the tests that perform them.
var journeys = map[string]string{
	"first run, a key, curl with that key":               "TestFirstRun",
	"a declaration from an uploaded invoice to cleared":  "TestDeclarationFromInvoice",
	"rejected, fixed, cleared":                           "TestRejectedThenCleared",
	"a Hub filing with findings":                         "TestFilingJourney",
	"a CBAM quarter":                                     "TestCBAMQuarter",
	"a VAT return":                                       "TestVATReturn",
	"an import with errors":                              "TestImportAndExport",
	"sign in with a passkey":                             "TestPasskey",
	"sign in with an authenticator app":                  "TestAuthenticatorApp",
	"sign in by single sign-on":                          "TestSingleSignOn",
	"a webhook that fails and recovers":                  "TestWebhookRecovers",
	"roles":                                              "TestRoles",
	"two organisations":                                  "TestTwoOrganisations",
	"test mode, and back to live":                        "TestTestMode",
	"a session that ends in the middle of a form":        "TestSessionEndsWhileDeclaring",
	"a declaration on a window of the size of a phone":   "TestDeclarationFromInvoice",
	"the guide, from the set-up link to the audit trail": "TestGuide",
}

// Every journey has a test.
func TestEveryJourneyHasATest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				there[f.Name.Name] = true
			}
		}
	}
	for journey, test := range journeys {
		if !there[test] {
			t.Errorf("no test of %s: %s does not exist", journey, test)
		}
	}
}
