package conformance

// exportLicence is an application for a licence for a machine tool, in good order.
func exportLicence() map[string]any {
	return map[string]any{
		"licenceType": "DUAL_USE_SIEL", "exporterName": "Pennine Machine Tools Ltd", "exporterEori": "GB205672212000",
		"endUserName": "Hanbit Turbine Co., Ltd.", "endUserAddress": "41 Jangan-ro, Changwon 51542, Republic of Korea", "endUserCountry": "KR",
		"productCode": "2B001.b.2", "productDescription": "Five-axis CNC machining centre for milling turbine blades, positioning repeatability 2.4 micrometres",
		"endUse": "Milling of steam turbine blades for civil power stations at the Changwon works", "quantity": 2, "unitOfMeasure": "units",
		"validFrom": inDays(20), "validUntil": inDays(385),
	}
}
