// Package ens has the messages of Safety and Security GB: entry summary declarations (CC315A), their amendments (CC313A), and
// HMRC's answers. It reads and writes them as XML and JSON, and checks what is sent as HMRC does. Sources: HMRC's services
// import-control-entry-declaration-store (2026-06-10), -outcome (2025-11-20) and -intervention (2025-12-05).
package ens

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/rule"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// Check returns what HMRC would find in a CC315A or CC313A document: the errors of the schema or, if there are none, those of
// the business rules, in HMRC's order. HMRC answers with the first 100.
func Check(document []byte, g verdict.Generation) []verdict.Error {
	root, err := element.Read(document)
	found := schema.Check(root, err, g, schema.Declaration, schema.Amendment)
	if len(found) > 0 {
		return found
	}
	return rule.Check(root, g)
}

// CheckRules returns the business rules that a document breaks, whatever the schema says. A document that is neither message,
// or that cannot be read, is an error of the schema nevertheless.
func CheckRules(document []byte, g verdict.Generation) []verdict.Error {
	root, err := element.Read(document)
	if err != nil || root.Name.Local != schema.Declaration && root.Name.Local != schema.Amendment {
		return schema.Check(root, err, g, schema.Declaration, schema.Amendment)
	}
	return rule.Check(root, g)
}
