package mtdtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
)

const published = "../../../../../shared/domain/data/tax/hmrc-vat-api-1.0-openapi.yaml"

// contract is HMRC's published document.
func contract(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := os.ReadFile(published)
	if err != nil {
		t.Skip("HMRC's document is not beside the project")
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// route is the operation of the document that a request is for.
func route(t *testing.T, document *openapi3.T, r *http.Request) (*routers.Route, map[string]string) {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/organisations/vat/"), "/")
	path, params := "/organisations/vat/{vrn}/"+parts[1], map[string]string{"vrn": parts[0]}
	if len(parts) > 2 {
		path, params["periodKey"] = path+"/{periodKey}", parts[2]
	}
	item := document.Paths.Find(path)
	if item == nil || item.GetOperation(r.Method) == nil {
		t.Fatalf("HMRC has no %s %s", r.Method, path)
	}
	return &routers.Route{Spec: document, Path: path, PathItem: item, Method: r.Method, Operation: item.GetOperation(r.Method)}, params
}

// The simulator accepts and returns what HMRC's published document specifies, including refusals.
func TestPublishedContract(t *testing.T) {
	document, hmrc := contract(t), newHMRC()
	token := tokenOf(t, hmrc)
	good := `{"periodKey":"26C1","vatDueSales":105.5,"vatDueAcquisitions":-100.45,"totalVatDue":5.05,"vatReclaimedCurrPeriod":105.15,"netVatDue":100.1,` +
		`"totalValueSalesExVAT":300,"totalValuePurchasesExVAT":300,"totalValueGoodsSuppliedExVAT":3000,"totalAcquisitionsExVAT":3000,"finalised":true}`
	change := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for _, c := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/123456782/obligations?from=2026-01-01&to=2026-12-31", "", 200, ""},
		{"GET", "/123456782/obligations?status=O", "", 200, ""},
		{"GET", "/123456782/obligations?from=2026-01-01&to=2026-01-02", "", 404, "NOT_FOUND"},
		{"GET", "/123456782/obligations?from=today&to=2026-01-02", "", 400, "INVALID_DATE_FROM"},
		{"GET", "/123456782/obligations?from=2026-01-01&to=2028-01-01", "", 400, "INVALID_DATE_RANGE"},
		{"GET", "/123456782/obligations?from=2026-01-01&to=2026-02-01&status=X", "", 400, "INVALID_STATUS"},
		{"GET", "/12345678/obligations?status=O", "", 400, "VRN_INVALID"},
		{"GET", "/987654321/obligations?status=O", "", 403, "CLIENT_OR_AGENT_NOT_AUTHORISED"},
		{"GET", "/123456782/returns/26C1", "", 404, "NOT_FOUND"},
		{"GET", "/123456782/returns/1", "", 400, "PERIOD_KEY_INVALID"},
		{"POST", "/123456782/returns", change("26C1", "26D1"), 403, "TAX_PERIOD_NOT_ENDED"},
		{"POST", "/123456782/returns", change("26C1", "18A1"), 400, "PERIOD_KEY_INVALID"},
		{"POST", "/123456782/returns", change("5.05", "5.06"), 400, "VAT_TOTAL_VALUE"},
		{"POST", "/123456782/returns", change("100.1,", "100.11,"), 400, "VAT_NET_VALUE"},
		{"POST", "/123456782/returns", change("true", "false"), 403, "NOT_FINALISED"},
		{"POST", "/123456782/returns", good, 201, ""},
		{"POST", "/123456782/returns", good, 403, "DUPLICATE_SUBMISSION"},
		{"GET", "/123456782/returns/26C1", "", 200, ""},
		{"GET", "/123456782/obligations?from=2026-01-01&to=2026-12-31&status=F", "", 200, ""},
	} {
		request := httptest.NewRequest(c.method, "http://hmrc.test/organisations/vat"+c.path, strings.NewReader(c.body))
		request.Header.Set("Accept", "application/vnd.hmrc.1.0+json")
		request.Header.Set("Authorization", "Bearer "+token)
		if c.body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		input := &openapi3filter.RequestValidationInput{Request: request, Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
		input.Route, input.PathParams = route(t, document, request)
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s %s is not what HMRC takes: %v", c.method, c.path, err)
		}
		request.Body = io.NopCloser(strings.NewReader(c.body))
		recorder := httptest.NewRecorder()
		hmrc.ServeHTTP(recorder, request)
		answer := recorder.Result()
		text, _ := io.ReadAll(answer.Body)
		var response struct {
			Code string `json:"code"`
		}
		if err := json.Unmarshal(text, &response); err != nil || answer.StatusCode != c.status || response.Code != c.code {
			t.Errorf("%s %s: %d %s", c.method, c.path, answer.StatusCode, text)
		}
		if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: input, Status: answer.StatusCode, Header: answer.Header, Body: io.NopCloser(bytes.NewReader(text)),
			Options: &openapi3filter.Options{IncludeResponseStatus: true},
		}); err != nil {
			t.Errorf("%s %s: HMRC does not answer %s: %v", c.method, c.path, text, err)
		}
	}
}

func newHMRC() *mtdtest.HMRC {
	return mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: "http://127.0.0.1/back",
		Now: func() time.Time { return time.Date(2026, 10, 12, 9, 0, 0, 0, time.UTC) },
		Obligations: map[string][]mtdtest.Obligation{"123456782": {
			{PeriodKey: "26D1", Start: "2026-10-01", End: "2026-12-31", Due: "2027-02-07"},
			{PeriodKey: "26C1", Start: "2026-07-01", End: "2026-09-30", Due: "2026-11-07"},
		}},
	})
}

func tokenOf(t *testing.T, hmrc *mtdtest.HMRC) string {
	t.Helper()
	consent := httptest.NewRecorder()
	hmrc.ServeHTTP(consent, httptest.NewRequest(http.MethodGet, "/oauth/authorize?response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%2Fback&state=s", nil))
	back, err := consent.Result().Location()
	if err != nil {
		t.Fatal(err)
	}
	form := "grant_type=authorization_code&client_id=app&client_secret=secret&redirect_uri=http%3A%2F%2F127.0.0.1%2Fback&code=" + back.Query().Get("code")
	request := httptest.NewRequest(http.MethodPost, "/oauth/token", strings.NewReader(form))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	recorder := httptest.NewRecorder()
	hmrc.ServeHTTP(recorder, request)
	var token struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(recorder.Body).Decode(&token); err != nil || token.Access == "" {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
	return token.Access
}

// Numbers that are none, or not HMRC's, are refused, however long.
func TestAmounts(t *testing.T) {
	hmrc := newHMRC()
	token := tokenOf(t, hmrc)
	for value, want := range map[string]string{
		`"1"`: "INVALID_NUMERIC_VALUE", `null`: "INVALID_NUMERIC_VALUE", `1e999999999`: "INVALID_NUMERIC_VALUE", `{}`: "INVALID_NUMERIC_VALUE",
		`1.234`: "INVALID_MONETARY_AMOUNT", `10000000000000`: "INVALID_MONETARY_AMOUNT", `-10000000000000`: "INVALID_MONETARY_AMOUNT",
	} {
		body := `{"periodKey":"26C1","vatDueSales":` + value + `}`
		request := httptest.NewRequest(http.MethodPost, "/organisations/vat/123456782/returns", strings.NewReader(body))
		request.Header.Set("Accept", "application/vnd.hmrc.1.0+json")
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		hmrc.ServeHTTP(recorder, request)
		if !strings.Contains(recorder.Body.String(), want) {
			t.Errorf("%s: %s", value, recorder.Body)
		}
	}
}
