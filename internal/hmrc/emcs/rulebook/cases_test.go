package rulebook_test

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// ruleCase is an edit of a valid message, in the form of emcstest.Edit, and the numbers that it breaks.
type ruleCase struct {
	kind    emcs.Kind
	edits   string
	numbers string
	header  string // recipient
}

func draftCase(numbers, edits string) ruleCase {
	return ruleCase{kind: emcs.Draft, edits: edits, numbers: numbers}
}

const (
	toEU     = "HeaderEadEsad/DestinationTypeCode=2; -DeliveryPlaceTrader; ConsigneeTrader/Traderid=FR00000602078; "
	fromXI   = "ConsignorTrader/TraderExciseNumber=XIWK002281023; ConsignorTrader/Postcode=BT1 1AA; "
	fromXI00 = fromXI + "PlaceOfDispatchTrader/ReferenceOfTaxWarehouse=XI00002281023; PlaceOfDispatchTrader/Postcode=BT1 1AA; CompetentAuthorityDispatchOffice/ReferenceNumber=XI004098; "
	toXI     = "ConsigneeTrader/Traderid=XIWK240176600; ConsigneeTrader/Postcode=bt1 1AA; DeliveryPlaceTrader/Traderid=XI00240176600; DeliveryPlaceTrader/Postcode=BT1 1AA; "
	exported = "HeaderEadEsad/DestinationTypeCode=6; -DeliveryPlaceTrader; -ConsigneeTrader/Traderid; DeliveryPlaceCustomsOffice/ReferenceNumber=GB000060; "
	imports  = "EadEsadDraft/OriginTypeCode=2; -PlaceOfDispatchTrader; DispatchImportOffice/ReferenceNumber=GB000060; ConsignorTrader/TraderExciseNumber=GBRC002281023; "
	wine     = "BodyEadEsad/ExciseProductCode=W200; BodyEadEsad/WineProduct/WineProductCategory=5; "
	paid     = "Attributes/SubmissionMessageType=3; EadEsadDraft/OriginTypeCode=3; ConsignorTrader/TraderExciseNumber=XIPA002281023; ConsignorTrader/Postcode=BT1 1AA; CompetentAuthorityDispatchOffice/ReferenceNumber=XI004098; " +
		"-PlaceOfDispatchTrader/ReferenceOfTaxWarehouse; HeaderEadEsad/DestinationTypeCode=9; ConsigneeTrader/Traderid=FR00000602078; DeliveryPlaceTrader/Traderid=FR00000602078; "
	unknownPlace = "HeaderEadEsad/DestinationTypeCode=8; -ConsigneeTrader; -DeliveryPlaceTrader; BodyEadEsad/ExciseProductCode=E430; TransportMode/TransportModeCode=1; "
)

var draftCases = []ruleCase{
	draftCase("8033", "-DeliveryPlaceTrader"),
	draftCase("8034", "-ConsigneeTrader"),
	draftCase("8035", "-PlaceOfDispatchTrader/ReferenceOfTaxWarehouse"),
	draftCase("8036", imports+"-DispatchImportOffice"),
	draftCase("", imports+"EadEsadDraft/InvoiceNumber=1"),
	draftCase("8037", fromXI00+"HeaderEadEsad/DestinationTypeCode=5; -ConsigneeTrader/Traderid; DeliveryPlaceTrader/Traderid=FR00000602078"),
	draftCase("8132", fromXI00+"HeaderEadEsad/DestinationTypeCode=5; -ConsigneeTrader/Traderid; DeliveryPlaceTrader/Traderid=FR00000602078; ComplementConsigneeTrader/MemberStateCode=FR"),
	draftCase("8133", fromXI00+"HeaderEadEsad/DestinationTypeCode=5; -ConsigneeTrader/Traderid; DeliveryPlaceTrader/Traderid=FR00000602078; ComplementConsigneeTrader/MemberStateCode=XI; ComplementConsigneeTrader/SerialNumberOfCertificateOfExemption=1"),
	draftCase("8038", "-DeliveryPlaceTrader/Traderid"),
	draftCase("8039", exported+"-DeliveryPlaceCustomsOffice"),
	draftCase("", exported+"ConsigneeTrader/EoriNumber=FR123"),
	draftCase("8040", "HeaderEadEsad/TransportArrangement=4"),
	draftCase("8041", strings.Repeat("TransportDetails[99]/TransportUnitCode=5; ", 30)+"EadEsadDraft/InvoiceNumber=1"),
	draftCase("8043", "BodyEadEsad/BodyRecordUniqueReference=2"),
	draftCase("8044", "Attributes/SubmissionMessageType=2"),
	draftCase("8045", "-ConsigneeTrader/Traderid"),
	draftCase("8046", fromXI00+"HeaderEadEsad/DestinationTypeCode=5; ConsigneeTrader/Traderid=FR00000602078; DeliveryPlaceTrader/Traderid=FR00000602078; ComplementConsigneeTrader/MemberStateCode=FR; ComplementConsigneeTrader/SerialNumberOfCertificateOfExemption=1"),
	draftCase("8047", "ConsigneeTrader/Traderid=GBWK12"),
	draftCase("8048 8064", fromXI00+toEU+"MovementGuarantee/GuarantorTypeCode=0; BodyEadEsad/ExciseProductCode=B000"),
	draftCase("8052 8053 8054 8055", fromXI00+"HeaderEadEsad/DestinationTypeCode=3; ConsigneeTrader/Traderid=FR00000602078; -DeliveryPlaceTrader; DeliveryPlaceTrader/Traderid=FR00000602078"),
	draftCase("8056", fromXI00+"HeaderEadEsad/DestinationTypeCode=4; ConsigneeTrader/Traderid=FR00000602078; DeliveryPlaceTrader/Traderid=FR00000602078"),
	draftCase("8059 8551", "HeaderEadEsad/DestinationTypeCode=2; -DeliveryPlaceTrader"),
	draftCase("8551 8624", imports+"HeaderEadEsad/DestinationTypeCode=2; -DeliveryPlaceTrader"),
	draftCase("8061", unknownPlace+"TransportMode/TransportModeCode=3"),
	draftCase("", unknownPlace+"TransportMode/TransportModeCode=8"),
	draftCase("8062", "MovementGuarantee/GuarantorTypeCode=2"),
	draftCase("8063", "MovementGuarantee/GuarantorTypeCode=2; MovementGuarantee/GuarantorTrader/TraderExciseNumber=GBWK002281023; MovementGuarantee/GuarantorTrader[2]/TraderExciseNumber=GBWK002281024"),
	draftCase("8065", "MovementGuarantee/GuarantorTrader/TraderExciseNumber=GBWK002281023"),
	draftCase("8067", "MovementGuarantee/GuarantorTypeCode=0"),
	draftCase("8068", unknownPlace+"BodyEadEsad/ExciseProductCode=S200"),
	draftCase("8072", "BodyEadEsad/WineProduct/WineProductCategory=5"),
	draftCase("", wine+"BodyEadEsad/WineProduct/WineOperation/WineOperationCode=0"),
	draftCase("8073", wine+"BodyEadEsad/WineProduct/WineOperation/WineOperationCode=0; BodyEadEsad/WineProduct/WineOperation[2]/WineOperationCode=1"),
	draftCase("8074", wine+"BodyEadEsad/WineProduct/WineProductCategory=4"),
	draftCase("8076", wine+"BodyEadEsad/WineProduct/ThirdCountryOfOrigin=AU"),
	draftCase("8077", wine+"BodyEadEsad/WineProduct/WineOperation/WineOperationCode=1; BodyEadEsad/WineProduct/WineOperation[2]/WineOperationCode=1"),
	draftCase("8704", wine+"BodyEadEsad/WineProduct/WineProductCategory=1"),
	draftCase("8081", "-TransportDetails/IdentityOfTransportUnits"),
	draftCase("8082", "TransportDetails/TransportUnitCode=5"),
	draftCase("8083", "EadEsadDraft/DateOfDispatch=2026-12-05"),
	draftCase("", "EadEsadDraft/DateOfDispatch=2026-12-04"),
	draftCase("8084", "EadEsadDraft/DateOfDispatch=2026-11-26"),
	draftCase("", "EadEsadDraft/DateOfDispatch=2026-11-26; Attributes/DeferredSubmissionFlag=1"),
	draftCase("8085", "EadEsadDraft/DateOfDispatch=2026-11-28; Attributes/DeferredSubmissionFlag=1"),
	draftCase("8086", "BodyEadEsad/ExciseProductCode=S500"),
	draftCase("8097", "BodyEadEsad/ExciseProductCode=X200"),
	draftCase("8130", "-FirstTransporterTrader"),
	draftCase("8131", "PlaceOfDispatchTrader@"),
	draftCase("8134", "DeliveryPlaceTrader@"),
	draftCase("8135", "TransportMode/TransportModeCode=0"),
	draftCase("8216", "TransportMode/ComplementaryInformation=Rowing; TransportMode/ComplementaryInformation@en"),
	draftCase("8136", "MovementGuarantee/GuarantorTypeCode=2; MovementGuarantee/GuarantorTrader/TraderName=A"),
	draftCase("8137", "-EadEsadDraft/TimeOfDispatch"),
	draftCase("8219", "EadEsadDraft/TimeOfDispatch=12:00:00.5"),
	draftCase("8059 8140", "HeaderEadEsad/DestinationTypeCode=7"),
	draftCase("8149", unknownPlace+"DeliveryPlaceTrader/TraderName=A; DeliveryPlaceTrader/StreetName=A; DeliveryPlaceTrader/Postcode=A; DeliveryPlaceTrader/City=A; DeliveryPlaceTrader@en"),
	draftCase("8150", exported+"DeliveryPlaceTrader/TraderName=A; DeliveryPlaceTrader/StreetName=A; DeliveryPlaceTrader/Postcode=A; DeliveryPlaceTrader/City=A; DeliveryPlaceTrader@en"),
	draftCase("8151", fromXI00+toEU+"DeliveryPlaceTrader/TraderName=A; DeliveryPlaceTrader/StreetName=A; DeliveryPlaceTrader/Postcode=A; DeliveryPlaceTrader/City=A; DeliveryPlaceTrader@en"),
	draftCase("8152", fromXI00+toEU+"MovementGuarantee/GuarantorTypeCode=5; BodyEadEsad/ExciseProductCode=E430"),
	draftCase("8153", fromXI00+toEU+"MovementGuarantee/GuarantorTypeCode=5; TransportMode/TransportModeCode=1"),
	draftCase("8158 8714 8715", paid+"HeaderEadEsad/DestinationTypeCode=1; MovementGuarantee/GuarantorTypeCode=4"),
	draftCase("8159", fromXI00+toEU+"MovementGuarantee/GuarantorTypeCode=14"),
	draftCase("", "MovementGuarantee/GuarantorTypeCode=4"),
	draftCase("8163", "ConsigneeTrader/EoriNumber=GB123"),
	draftCase("8169", "BodyEadEsad/AlcoholicStrengthByVolumeInPercentage=100.1"),
	draftCase("8218", "BodyEadEsad/AlcoholicStrengthByVolumeInPercentage=0.49"),
	draftCase("8217", "BodyEadEsad/GrossMass=7980.499999"),
	draftCase("8500", "-DocumentCertificate/DocumentType"),
	draftCase("8501", "-DocumentCertificate/DocumentReference"),
	draftCase("8502", "DocumentCertificate/DocumentDescription=A; DocumentCertificate/DocumentDescription@en"),
	draftCase("8503", "DocumentCertificate/ReferenceOfDocument=A; DocumentCertificate/ReferenceOfDocument@en"),
	draftCase("8504", "BodyEadEsad/CnCode=00000000"),
	draftCase("8505", "BodyEadEsad/Package/NumberOfPackages=0"),
	draftCase("", "BodyEadEsad/Package[2]/NumberOfPackages=0; BodyEadEsad/Package[2]/KindOfPackages=CT; BodyEadEsad/Package[2]/ShippingMarks=SPEY 1"),
	draftCase("8506", "BodyEadEsad/Package/NumberOfPackages=0; -BodyEadEsad/Package/ShippingMarks"),
	draftCase("8550", "ConsigneeTrader/Traderid=GBRC240176600"),
	draftCase("8552", "ConsignorTrader/TraderExciseNumber=GBRC002281023"),
	draftCase("8553", imports+"ConsignorTrader/TraderExciseNumber=GBWK002281023"),
	draftCase("8555", "DeliveryPlaceTrader/Traderid=GBWK240176600"),
	draftCase("8556", fromXI00+"HeaderEadEsad/DestinationTypeCode=3; ConsigneeTrader/Traderid=FR00000602078"),
	draftCase("8551", fromXI00+"DeliveryPlaceTrader/Traderid=FR00240176601"),
	draftCase("", fromXI00+toXI+"EadEsadDraft/InvoiceNumber=1"),
	draftCase("8602", fromXI00+toXI+"ConsigneeTrader/Traderid=GBWK240176600; ConsigneeTrader/Postcode=E16 2AA"),
	draftCase("8605", fromXI00+toXI+"DeliveryPlaceTrader/Traderid=XI01240176600"),
	draftCase("8606", fromXI00+toXI+"DeliveryPlaceTrader/Postcode=E16 2AA"),
	draftCase("8607", "DeliveryPlaceTrader/Postcode=BT1 1AA"),
	draftCase("8550 8556 8610", "ConsigneeTrader/Traderid=FR00000602078"),
	draftCase("8611", imports+toEU+"EadEsadDraft/InvoiceNumber=1"),
	draftCase("8612", fromXI00+toXI+"ConsigneeTrader/Postcode=E16 2AA"),
	draftCase("8613", "ConsigneeTrader/Postcode=BT1 1AA"),
	draftCase("8614", fromXI00+"ConsignorTrader/Postcode=E16 2AA"),
	draftCase("8615", "ConsignorTrader/Postcode=bt1 1AA"),
	draftCase("8616", "PlaceOfDispatchTrader/ReferenceOfTaxWarehouse=GB01002281023"),
	draftCase("8617", fromXI00+"PlaceOfDispatchTrader/ReferenceOfTaxWarehouse=XI01002281023"),
	draftCase("8618", "PlaceOfDispatchTrader/Postcode=BT1 1AA"),
	draftCase("8619", fromXI00+"PlaceOfDispatchTrader/Postcode=E16 2AA"),
	draftCase("8620", exported+"DeliveryPlaceCustomsOffice/ReferenceNumber=FR000060"),
	draftCase("8621", fromXI00+exported+"DeliveryPlaceCustomsOffice/ReferenceNumber=GB000060"),
	draftCase("8622", imports+exported+"DeliveryPlaceCustomsOffice/ReferenceNumber=FR000060"),
	draftCase("8623", imports+exported+"ConsignorTrader/TraderExciseNumber=XIRC002281023; ConsignorTrader/Postcode=BT1 1AA; DispatchImportOffice/ReferenceNumber=XI000060; CompetentAuthorityDispatchOffice/ReferenceNumber=XI004098"),
	draftCase("8700", imports+"DispatchImportOffice/ReferenceNumber=XI000060"),
	draftCase("8701", imports+"ConsignorTrader/TraderExciseNumber=XIRC002281023; ConsignorTrader/Postcode=BT1 1AA; CompetentAuthorityDispatchOffice/ReferenceNumber=XI004098"),
	draftCase("8702 8710", "CompetentAuthorityDispatchOffice/ReferenceNumber=XI004098"),
	draftCase("8709", fromXI00+"CompetentAuthorityDispatchOffice/ReferenceNumber=GB004098"),
	draftCase("8711", imports+"ConsignorTrader/TraderExciseNumber=XIRC002281023; ConsignorTrader/Postcode=BT1 1AA; DispatchImportOffice/ReferenceNumber=XI000060"),
	draftCase("", paid+"EadEsadDraft/InvoiceNumber=1"),
	draftCase("8716 8717", paid+"ConsignorTrader/TraderExciseNumber=XIWK002281023"),
	draftCase("8718", paid+"PlaceOfDispatchTrader/ReferenceOfTaxWarehouse=XI00002281023; PlaceOfDispatchTrader/Postcode=BT1 1AA"),
	draftCase("8719 8720 8721 8722", paid+"-PlaceOfDispatchTrader; PlaceOfDispatchTrader@en"),
	draftCase("8551 8714 8723", paid+"HeaderEadEsad/DestinationTypeCode=11; ConsigneeTrader/Traderid=XIPB00060207X; ConsigneeTrader/Postcode=BT1 1AA"),
	draftCase("8724", "BodyEadEsad/ExciseProductCode=S600"),
	draftCase("8035 8552 8726", paid+"EadEsadDraft/OriginTypeCode=1"),
}
