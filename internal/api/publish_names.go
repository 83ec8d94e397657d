package api

import (
	"cmp"
	"strings"
)

// publishedNames are the names of schemas in the OpenAPI document whose own name is one word, and so
// would collide with names in generated clients, or says nothing outside of its package. Schemas of
// requests get the suffix Input.
var publishedNames = map[string]string{
	"Alert": "WebhookAlert", "AnalyseBody": "AnalyseDeclaration", "AuthorityBody": "AuthorityConnection", "IdentityBody": "AuthorityIdentifier", "AuthorizeBody": "CustomsConsentLink", "Record": "GrantedConsent", "AttemptBody": "DeliveryAttempt", "Checkpoint": "AuditCheckpoint",
	"CbamReportRequest": "CbamReport", "Classification": "ExportClassification", "ClockBody": "TestClock", "ClosingBody": "OrganisationClosing", "ClosingInput": "OrganisationClosing", "CommentBody": "RecordComment", "CommentInput": "RecordComment", "CommodityBody": "TariffCommodity",
	"CommodityQuestion": "ClassifyCommodity", "ConnectionBody": "TaxConnection", "ConsentBody": "ConsentLink", "Consistency": "AuditConsistency",
	"Container": "ExtractedContainer", "DeadlineBody": "FilingDeadline", "DeadlinesBody": "DeadlineList", "DeliveryBody": "WebhookDelivery",
	"Demand": "CustomsDemand", "Derived": "DerivedValue", "Detail": "ErrorDetail", "Document": "DeclarationDocument", "DraftBody": "DraftContent", "ElsewhereBody": "OtherTaxPeriod",
	"EndpointBody": "WebhookEndpoint", "Entry": "ControlListEntry", "Error": "ProblemDetails", "EventBody": "AuditEvent", "ExplainBody": "ExplainRejection",
	"Explained": "RejectionExplanations", "Explanation": "RejectionExplanation", "Extraction": "DocumentExtraction", "FedEvent": "AuditFeedEvent",
	"FeedState": "CalendarFeed", "FieldInt64": "ExtractedInteger", "FieldMass": "ExtractedMass", "FieldNumber": "ExtractedNumber", "FieldString": "ExtractedText",
	"Finding": "ReviewFinding", "HoldBody": "LegalHold", "HoldInput": "LegalHold", "HubBody": "HubState", "Imported": "ImportedDocument", "Input": "WebhookEndpoint", "Item": "DeclarationItem",
	"JobBody": "BackgroundJob", "Key": "SigningKey", "KeyBody": "ApiKey", "KeyInput": "ApiKey", "LineItem": "ExtractedLine", "MadeKey": "CreatedApiKey",
	"MeBody": "CallerIdentity", "MetricsBody": "WebhookMetrics", "BucketBody": "WebhookMetricsBucket", "OpenFeedBody": "CreatedCalendarFeed", "OrganisationBody": "OrganisationRecord", "Outcome": "ImportOutcome",
	"PartyBody": "CallerReference", "Place": "SourcePlace", "ReasonBody": "MarkReason", "Recovered": "DeliveryRecovery", "Recovery": "DeliveryRecovery",
	"RequestBody": "SentMessage", "ResetBody": "SandboxReset", "SandboxBody": "ClaimableSandbox", "ResultBody": "BatchResult", "Filter": "EndpointFilter", "Config": "DestinationConfig", "Credentials": "DestinationCredentials", "Retry": "RetrySchedule", "Condition": "FilterCondition", "Review": "RecordReview", "RowError": "ImportRowError", "ShownPersonal": "AuditPersonalValue",
	"Submission": "DeclarationSubmission", "SubmitBody": "SubmitDeclaration", "SuccessBody": "SuccessResult", "Suggestion": "CommoditySuggestion",
	"Suggestions": "CommoditySuggestions", "TariffBody": "TariffVersion", "TaxPeriodRecordRecord": "TaxPeriodRecord", "TaxReturnRequest": "TaxReturn",
	"TradeQuestion": "ClassifyExport", "DutyRequest": "DutyCalculation", "DutyResponse": "DutyCalculation", "UsageBody": "OrganisationUsage", "RatesBody": "ExchangeRates", "RateBody": "PublishedRate", "Valuation": "DeclarationValuation", "Estimate": "DeclarationEstimate", "BudgetsBody": "RateLimits", "BudgetBody": "RateLimitState", "StorageBody": "StorageUsage", "UserBody": "CallerUser", "WholeDelivery": "DeliveryDetails", "Cancellation": "DeclarationCancellation", "AmendmentBody": "DeclarationAmendment",
	"QuestionBody": "OriginQuestion", "AmountBody": "OriginAmount", "MaterialBody": "OriginMaterial", "ProductionBody": "OriginProduction", "TransportBody": "OriginTransport", "ConsignmentBody": "OriginConsignment",
	"AnswerBody": "OriginAnswer", "SchemeBody": "OriginScheme", "RuleBody": "OriginRule", "AlternativeBody": "OriginAlternative", "StateBody": "OriginRequirement", "ProofBody": "OriginProof",
	"FactBody": "OriginFact", "WhatIfRequest": "WhatIfQuestion", "WhatIfBody": "WhatIfResult",
	"Summary": "TariffDiffSummary", "ChangeBody": "MeasureChange", "TermsBody": "MeasureTerms", "ConditionBody": "MeasureCondition",
	"Uploaded": "DeclarationFiles", "Recurrence": "TemplateRecurrence", "Repeated": "TemplateRepetition", "MovementBody": "ExportMovement", "Source": "SourceDocument", "Version": "DeclarationVersion", "Correction": "DeclarationCorrection", "Rejected": "RejectionCode",
}

// requestSuffix ends the names of schemas of requests.
const requestSuffix = "Input"

// publishedName returns the name of a schema in the OpenAPI document.
func publishedName(known string, at side) string {
	name := cmp.Or(publishedNames[known], strings.TrimSuffix(known, "Body"))
	if at == request {
		return strings.TrimSuffix(name, requestSuffix) + requestSuffix
	}
	return name
}
