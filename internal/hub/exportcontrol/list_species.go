package exportcontrol

import "slices"

// species is a group of the regulation: its annex, its Latin names, the common and Latin names of its animals or plants, and the names
// that other goods have too, which need a word for an animal and its parts.
type species struct{ annex, taxa, names, shared string }

// furred and others list the orders, families and genera of animals of which the endangered species regulation names all or most
// species, by the common names of their animals. Source: Annexes A to D of Regulation (EC) No 338/97 and Appendices I to III of CITES, as
// at 2025, by their orders, families and genera. A common name stands for all animals that are called so, listed or not: it tells a person
// to look the species up. Furred and feathered animals are apart, because bags and shoes are seldom made of them.
var furred = []species{
	// mammals
	{"Annex A", "Proboscidea, Rhinocerotidae, Tapiridae", "elephant, rhinoceros, rhino, tapir", ""},
	{"Annex A", "Felidae of Annex A", "tiger, leopard, jaguar, cheetah, snow leopard, ocelot, margay, lynx, clouded leopard, jaguarundi", ""},
	{"Annex B", "other Felidae", "lion, puma, cougar, bobcat, serval, caracal, wildcat", ""},
	{"Annex A", "Ursidae of Annex A, Ailuridae", "giant panda, red panda, sun bear, sloth bear, spectacled bear, asiatic black bear", ""},
	{"Annex B", "other Ursidae", "polar bear, brown bear, black bear, grizzly bear", "bear"},
	{"Annex A", "Lutrinae", "sea otter, giant otter", "otter"},
	{"Annex B", "Canidae", "maned wolf, bush dog, fennec, dhole", "wolf"},
	{"Annex B", "Otariidae, Phocidae, Odobenidae", "fur seal, elephant seal, walrus", ""},
	{"Annex A", "Primates of Annex A", "gorilla, chimpanzee, orangutan, bonobo, gibbon, siamang, lemur, aye aye, sifaka, indri, mandrill, slow loris, proboscis monkey", ""},
	{"Annex B", "other Primates", "macaque, primate, marmoset, tamarin, slender loris, langur, howler monkey, capuchin monkey, squirrel monkey, vervet, baboon, bushbaby, galago, tarsier, colobus", "monkey"},
	{"Annex A", "Cetacea, Sirenia", "sperm whale, killer whale, narwhal, porpoise, dugong, manatee, beluga whale", "whale, dolphin"},
	{"Annex A", "Pholidota", "pangolin", ""},
	{"Annex B", "Pilosa, Monotremata", "three toed sloth, giant anteater, long beaked echidna", ""},
	{"Annex B", "Pteropodidae", "flying fox", ""},
	{"Annex A", "Equidae of Annex A", "grevy zebra, przewalski horse", ""},
	{"Annex B", "other Equidae", "mountain zebra, zebra hartmann, hartmann zebra", ""},
	{"Annex B", "Hippopotamidae, Giraffidae, Tayassuidae", "hippopotamus, hippo, peccary", "giraffe"},
	{"Annex A", "Camelidae, Bovidae and Cervidae of Annex A", "vicuna, chiru, scimitar oryx, arabian oryx, addax, anoa, gaur, markhor, marsh deer, pudu", ""},
	{"Annex B", "Bovidae, Moschidae and Camelidae of Annex B", "saiga, blackbuck, argali, urial, lechwe, bontebok, duiker, guanaco, musk deer", ""},
	{"Annex A", "Chinchillidae", "chinchilla wild", ""},
	// birds
	{"Annex A", "Falconiformes and Strigiformes of Annex A", "peregrine falcon, gyrfalcon, saker falcon, falcon, eagle, sea eagle, osprey, red kite, goshawk, sparrowhawk, kestrel, snowy owl, barn owl, eagle owl, tawny owl, little owl, scops owl, white tailed eagle", "owl, hawk, kite, harrier, buzzard, condor, vulture, merlin, hobby"},
	{"Annex A", "Psittaciformes of Annex A", "african grey parrot, macaw, cockatoo, spix", ""},
	{"Annex B", "other Psittaciformes", "parrot, parakeet, lorikeet, amazon parrot, lovebird, conure, cacatua", "lory"},
	{"Annex B", "Bucerotidae, Ramphastidae, Musophagidae, Trochilidae, Paradisaeidae, Phoenicopteridae, Spheniscidae", "hornbill, toucan, turaco, hummingbird, bird of paradise, flamingo, hill mynah, java sparrow, cock of the rock, jackass penguin", ""},
	{"Annex A", "Gruidae, Otididae, Ciconiiformes and Pelecaniformes of Annex A", "siberian crane, whooping crane, red crowned crane, great bustard, black stork, great white pelican", ""},
	{"Annex B", "other Gruidae, Otididae and Ciconiiformes", "demoiselle crane, crowned crane, bustard, shoebill, scarlet ibis", ""},
	{"Annex A", "Struthionidae of North Africa", "north african ostrich", ""},
}

var others = []species{
	// reptiles and amphibians
	{"Annex A", "Crocodylia, Varanidae and Osteoglossidae of Annex A", "gharial, komodo, arowana", ""},
	{"Annex B", "other Crocodylia", "crocodile, alligator, caiman", ""},
	{"Annex A", "Cheloniidae, Dermochelyidae", "sea turtle, hawksbill, hawksbill turtle, green turtle, loggerhead turtle, leatherback turtle", ""},
	{"Annex B", "Testudinidae, Geoemydidae, Trionychidae", "tortoise, radiated tortoise, box turtle, softshell turtle, soft shelled turtle, pond turtle, map turtle, snapping turtle", "turtle"},
	{"Annex B", "Boidae, Pythonidae, Elapidae", "python, boa constrictor, anaconda, king cobra", "boa, cobra"},
	{"Annex B", "Iguanidae, Varanidae, Teiidae, Chamaeleonidae, Agamidae", "iguana, chameleon, monitor lizard, tegu, uromastyx, gila monster, day gecko, leaf tailed gecko, tokay gecko, spiny tailed lizard", "nile monitor, water monitor, savannah monitor"},
	{"Annex B", "Dendrobatidae, Mantellidae, Centrolenidae, Ambystomatidae", "poison frog, poison dart frog, poison arrow frog, dart frog, mantella, glass frog, axolotl", ""},
	// fish
	{"Annex B", "Acipenseriformes", "sturgeon, beluga, sevruga, osetra, ossetra, paddlefish", ""},
	{"Annex B", "Anguilla anguilla", "european eel, glass eel, elver, anguilla anguilla", "eel"},
	{"Annex B", "Carcharhinidae, Sphyrnidae, Lamnidae, Alopiidae, Cetorhinidae, Rhincodontidae", "hammerhead, hammerhead shark, porbeagle, mako, thresher shark, thresher jaw, thresher fin, basking shark, whale shark, silky shark, blue shark, requiem shark, oceanic whitetip, white shark, bull shark, reef shark", "shark"},
	{"Annex A", "Pristidae, Totoaba, Latimeria", "sawfish, totoaba, coelacanth", ""},
	{"Annex B", "Mobulidae, Rhinidae, Rhinobatidae", "manta ray, devil ray, mobula, wedgefish, guitarfish", ""},
	{"Annex B", "Labridae, Syngnathidae, Arapaimidae, Loricariidae", "humphead wrasse, napoleon wrasse, seahorse, arapaima, zebra pleco, sea horse", ""},
	// animals without backbones
	{"Annex B", "Hirudinidae, Theraphosidae, Scorpionidae, Papilionidae", "medicinal leech, hirudo, tarantula, scorpion emperor, emperor scorpion, birdwing", "leech"},
	{"Annex B", "Nautilidae, Tridacnidae, Strombidae, Holothuriidae", "nautilus shell, giant clam, tridacna, queen conch, conch, white teatfish, teatfish, sea cucumber", "nautilus"},
	{"Annex B", "Antipatharia, Helioporidae, Scleractinia, Stylasteridae", "stony coral, coral, black coral, blue coral, fire coral", ""},
}

// timbers is the number of plants at the beginning that are wood.
const timbers = 4

// plants are the same of plants and their wood, the woods first.
var plants = []species{
	{"Annex A", "Dalbergia nigra, Fitzroya, Araucaria", "brazilian rosewood, dalbergia nigra, alerce, monkey puzzle", ""},
	{"Annex B", "Dalbergia, Guibourtia, Pterocarpus", "rosewood, palisander, dalbergia, bubinga, kosso, cocobolo, kingwood, african blackwood, grenadilla, guibourtia, padauk, red sandalwood, kevazingo", ""},
	{"Annex B", "Meliaceae, Gonystylus, Pericopsis, Afzelia, Khaya, Handroanthus, Dipteryx", "big leaf mahogany, swietenia, honduran mahogany, cuban mahogany, african mahogany, khaya, cedrela, ramin, afrormosia, african teak, afzelia, doussie, ipe decking, ipe wood, cumaru", ""},
	{"Annex B", "Diospyros of Madagascar, Guaiacum, Bulnesia, Paubrasilia, Aniba", "ebony, madagascar ebony, lignum vitae, bulnesia, verawood, pau brasil, pernambuco", ""},
	{"Annex B", "Aquilaria, Gyrinops", "agarwood, oud wood, oud oil, oud chip, gaharu", ""},
	{"Annex A", "Orchidaceae of Annex A", "wild orchid, slipper orchid", ""},
	{"Annex B", "Orchidaceae, Cactaceae, Cycadales, Cyatheaceae, Dicksoniaceae", "orchid, orchid plant, cactus, cacti, peyote, cycad, cycas, zamia, encephalartos, tree fern, dicksonia, cyathea, pachypodium", ""},
	{"Annex B", "Nepenthaceae, Sarraceniaceae, Droseraceae", "nepenthes, pitcher plant, sarracenia, venus flytrap, venus fly trap, dionaea", ""},
	{"Annex B", "Galanthus, Cyclamen, Sternbergia", "snowdrop bulb, galanthus, cyclamen tuber, sternbergia", "cyclamen, snowdrop"},
	{"Annex B", "Aloe other than vera, Euphorbia, Hoodia", "aloe ferox, cape aloe, cape aloes, aloe arborescens, euphorbia succulent, euphorbia obesa, candelilla, hoodia", "euphorbia"},
	{"Annex B", "medicinal plants", "american ginseng, ginseng american, golden seal, goldenseal, hydrastis, costus, saussurea costus, spikenard, nardostachys, jatamansi, himalayan yew, taxus wallichiana, prunus africana, pygeum, rauvolfia, podophyllum, picrorhiza, rhodiola, frankincense boswellia", ""},
}

// derived lists goods whose own names say that they are made of listed species.
var derived = []cue{
	{"Annex A", certain, "ivory, elephant tusk, rhinoceros horn, rhino horn, tiger skin, leopard skin, tortoiseshell, shahtoosh, narwhal tusk, whale tooth, whalebone, scrimshaw, bear gall, bear bile, bear paw, otter skin, wolf skin, owl live, siamese crocodile, nile crocodile wild", "", imitatedA},
	{"Annex B", certain, "crocodile skin, alligator skin, python skin, snakeskin, snake skin, lizard skin, caviar, musk, shark fin, shark meat, zebra skin, zebra hide, antelope skin, bear skin, seahorse dried, hunting trophy, animal trophy, stuffed trophy, lion trophy, mounted trophy", "", imitatedB},
	{"Annex B", possible, "rosewood, mahogany, ebony", "", "colour, stain, effect, finish, antique, georgian, victorian, regency, before 1947"},
	{"Annex B", possible, "taxidermy, stuffed, mounted head, skull, fur coat, exotic leather, exotic skin, reptile skin, reptile, feather headdress, mounted bird, trophy, exotic bird, succulent plant, tropical timber", "animal, taxidermy, bird, head, stuffed, mounted, hunting, fur, exotic, skull of, mounted, reptile, wild, tropical, succulent", "toy, toys, olive, crust, mushroom"},
}

// Words about animals: of their bodies and states, and of what only looks or is called like them.
const (
	animalMatter = "live, alive, taxidermy, mounted, stuffed, specimen, skin, hide, leather, fur, pelt, feather, plume, plumage, skull, claw, talon, tooth, tusk, horn, bone, ivory, shell, scale, meat, fin, jaw, bile, gall, egg, trophy, rug, wild, captive bred, zoo, fillet, carving, hair, oil, skeleton, preserved, teeth, bead, pearl, vertebra, rib, foot, wing, baleen, casque, rostrum, beak, blood, serum, plasma, tissue, cell, tuber, bulb, seedling, succulent, plant"
	imitatedA    = "toy, print, print fabric, costume, figurine of plastic, poster, plastic, resin, porcelain, brand, lamp, photo, football, motif, cufflinks, shirt, chocolate, statue of bronze, bronze, shaped, polyester, book, wallpaper"
	imitatedB    = "toy, print, synthetic, faux, of glass, glass bead, glass ornament, stained glass, plastic, costume, cup, football, silver trophy, brand, porcelain, motif, football trophy, colour, resin, kit car, jeep, embossed, furniture stain, wardrobe, chest of drawer, " +
		"sports trophy, engraved trophy, monkey nut, monkey bar, monkey wrench, sea lion cub motif, lion bar, white musk, red lion, cut, substitute, imitation, seaweed, vegan, vegetarian"
)

// endangered returns the cues for species: the goods derived from them, and the animals and plants.
func endangered() []cue {
	all := slices.Clone(derived)
	for _, f := range slices.Concat(furred, others, plants) {
		imitated := imitatedB
		if f.annex == "Annex A" {
			imitated = imitatedA
		}
		all = append(all, cue{f.annex, certain, f.names, "", imitated})
		if f.shared != "" {
			all = append(all, cue{f.annex, strong, f.shared, animalMatter, imitated})
		}
	}
	return all
}
