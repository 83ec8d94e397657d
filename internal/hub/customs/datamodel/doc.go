// Package datamodel holds the members of declarations in JSON, and maps them to and from the WCO classes that CDS
// receives. Each element of HMRC's schema has one place in the full form; short forms stand for the common cases. DE
// numbers are data elements of the UK's completion guides. Lengths and patterns are those of the schema; whether a code
// exists is a question of the analysis.
package datamodel

import "github.com/danielgtaylor/huma/v2"

// object is embedded in objects that must have at least one member.
type object struct{}

// TransformSchema implements huma.SchemaTransformer.
func (object) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	one := 1
	s.MinProperties = &one
	return s
}
