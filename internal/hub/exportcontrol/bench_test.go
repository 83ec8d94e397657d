package exportcontrol_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// Cost of a classification: usual descriptions, and a text of maximum length.
func BenchmarkClassify(b *testing.B) {
	yes := true
	for name, item := range map[string]exportcontrol.Item{
		"goods":  {Description: "Five-axis CNC machining centre for milling turbine blades, positioning repeatability 2.4 micrometres", Code: "8457101000", EndUse: "Milling of steam turbine blades for civil power stations", Destination: "KR"},
		"crypto": {Description: "VPN gateway appliance with AES-256 encryption for data centres", EndUse: "Network of a telecommunications operator", Destination: "KZ", Cryptography: &yes},
		"long":   {Description: strings.Repeat("five-axis milling ", 55), EndUse: strings.Repeat("not for missiles ", 55), Destination: "CN"},
		"script": {Description: strings.Repeat("工业机床零件", 166), Destination: "AE"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				exportcontrol.Classify(item)
			}
		})
	}
}
