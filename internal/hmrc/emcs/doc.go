// Package emcs reads, writes and checks the messages of HMRC's Excise Movement Control System (EMCS). It uses neither filings nor
// a database.
//
// # Messages
//
// Each message has a number, such as IE815 (draft of a movement), a header and one element below Body. The elements, their order
// and their forms are a table of our own, schema.txt, for both versions of HMRC's schemas. The same table serves the reader, the
// writer, the JSON form and the checks.
//
// # Form in JSON
//
// The JSON form is the content of Body. Names are the schema's names with a small first letter, elements that may repeat are arrays, and
// values are strings, so that decimals stay exact. An attribute language is a member language; a text with a language is an object
// with value and language, or a string if the language is English:
//
//	{"submittedDraftOfEADESAD": {"consigneeTrader": {"language": "en", "traderid": "GBWK240176600", …},
//	 "bodyEadEsad": [{"quantity": "2000", "commercialDescription": {"value": "Whisky", "language": "en"}, …}], …}}
package emcs
