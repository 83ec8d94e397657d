package app_test

// restOfEntry is what a declaration for Great Britain needs besides the flat fields of the demo's.
var restOfEntry = object{
	"hEAHEA":    object{"ideOfMeaOfTraCroHEA85": "9431408", "conRefNumHEA": "NS0412W"},
	"tRACONCO1": object{"strAndNumCO122": "12 Haeyang-ro", "posCodCO123": "49112", "citCO124": "Busan", "couCO125": "KR"},
	"gOOITEGDS": []any{object{"pACGS2": []any{object{"kinOfPacGS23": "CT", "marNumOfPacGSL21": "HK 1-42"}}}},
	"iTI":       []any{object{"couOfRouCodITI1": "KR"}, object{"couOfRouCodITI1": "GB"}}, "cUSOFFFENT730": object{"refNumCUSOFFFENT731": "GB000051"},
}

// recordENS sends entry summary declarations of a test organisation to the simulator: one is rejected and copied, another is
// accepted, followed by an instruction not to load, and amended.
func (r *recorder) recordENS(key string) {
	const path = "/api/ics2/filings"
	body := object{
		"regime": "GB", "filingType": "ENS_SEA", "modeOfTransport": "1", "carrierName": "Northern Star Lines", "carrierEori": "GB345678912000",
		"consignorName": "Busan Kitchenware Co., Ltd.", "consigneeName": "Harbour Kitchens Ltd", "consigneeEori": "GB205672212000", "transportDocNumber": "NSLU260411987",
		"portOfLoading": "KRPUS", "portOfUnloading": "GBFXT", "estimatedArrival": recordedAt.AddDate(0, 0, 30).Format("2006-01-02T15:04:05.000Z"),
		"totalPackages": 42, "totalGrossMassKg": 3150.5, "goodsDescription": "Electric espresso machines for household use", "commodityCodes": []any{"851671"}, "message": restOfEntry,
	}
	r.want(r.as(key, "POST", "/api/hubs/ics2", nil))
	reaches := func(one, status string) {
		r.eventuallyAs(key, one, func(a answered) bool { return at(a.body, "filing", "status") == status })
	}
	rejected := path + "/" + r.text(r.want(r.as(key, "POST", path, body)), "filing", "id")
	r.want(r.as(key, "POST", rejected+"/submit", nil, "X-Simulate", "reject"))
	reaches(rejected, "REJECTED")
	accepted := path + "/" + r.text(r.want(r.as(key, "POST", path, body)), "filing", "id")
	r.want(r.as(key, "POST", accepted+"/submit", nil, "X-Simulate", "intervene"))
	reaches(accepted, "ACCEPTED")
	r.want(r.as(key, "PATCH", accepted, object{"totalPackages": 43}))
	r.eventuallyAs(key, accepted, func(a answered) bool { return at(a.body, "filing", "amendment", "status") == "ACCEPTED" })

	was := r.quiet
	r.quiet = false
	defer func() { r.quiet = was }()
	r.want(r.as(key, "GET", accepted+"/messages?limit=2", nil))
	document := string(r.want(r.as(key, "GET", accepted+"/message.xml", nil)).text)
	r.want(r.as(key, "POST", path+"/import?dryRun=true", document))
	r.want(r.as(key, "POST", path+"/import", document))
	r.want(r.as(key, "POST", rejected+"/copy?dryRun=true", nil))
	r.want(r.as(key, "POST", rejected+"/copy", nil))
}
