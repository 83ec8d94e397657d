package exportcontrol

// topic is a subject of words, in addition to the entries of the lists.
type topic int

const (
	massDestruction topic = iota // weapons of mass destruction and their delivery
	armedForces                  // armed forces
	weaponry                     // weapons and their parts
	massMarket                   // sold to the general public
	fixedCrypto                  // cryptography for an exempt purpose
	cryptoProduct                // products for confidentiality
	networking                   // network equipment
	harmless                     // food, medicine, books and so on, which most sanctions exempt
	ordinary                     // other everyday goods
	component                    // parts of other goods
	software
	knowledge  // technology, drawings and assistance
	luxury     // luxury goods, which have their own sanctions
	occupation // the part of Ukraine that its government does not control
	boats
	fuels
	civilNuclear
	imitation // imitations
	spun      // clothing of species
	industry  // goods of sanctioned sectors
	novelty   // goods that often have the shape of arms
	soldierly // the military, as an attribute of goods
	ground    // vehicles
	naval     // vessels
	airborne  // aircraft
	signals   // radio and radar
	training  // simulators

	pyrotechnic // fireworks and the other goods of heading 3604
	blasting    // the goods of headings 3601 to 3603
	road        // cars, and parts that only road vehicles have
	petSupply   // goods for animals that people keep

	lastTopic
)

// forces are words for the military, in descriptions as in end uses.
const forces = `army, armed force, air force, navy, military, ministry of defence, defence ministry, defence force, soldier, troop, battalion, brigade, regiment, garrison,
	barrack, marine corps, special force, national guard, border troop, border guard, paramilitary, militia, gendarmerie`

var topics = map[topic]string{
	industry: `machine, machinery, equipment, engine, motor, pump, valve, machine tool, power tool, electronic, computer, chemical, steel, metal, bearing, turbine, generator, compressor, reactor, tank, fermenter, sensor,
		drill, welding, laser, catalyst, polymer, alloy, semiconductor, transformer, drone, aircraft, vehicle, tractor, lorry, truck`,
	novelty: `mug, cup, cushion, pillow, cutter, mould, ice cube tray, ice tray, lighter, lamp, night light, pendant, charm, brooch, bracelet, badge, wallpaper, clock, slipper, sock, rug, doormat, pencil case, pencil holder, eraser,
		usb stick, opener, infuser, decanter, bubble maker, float, lunch box, ornament, garland, bunting, greeting card, perfume, bottle, dispenser, bookend, sweet, candy, lollipop, biscuit, cookie, cake, slice, blanket, duvet cover, phone case, stationery, planter, vase, salt shaker, money bank`,
	soldierly:   forces + `, naval, combat, battlefield, infantry, warfare`,
	ground:      `vehicle, truck, lorry, jeep, trailer, tractor, ambulance, motorcycle, quad bike, bus, land rover, bulldozer, excavator, locomotive, tanker`,
	naval:       `ship, vessel, boat, craft, hovercraft, landing ship, tug, tugboat, workboat, motorboat, ferry, submersible`,
	airborne:    `aircraft, plane, helicopter, drone, uav, airship, jet, glider, unmanned aircraft, rotorcraft`,
	pyrotechnic: `firework, rocket firework, firecracker, pyrotechnic, signal flare, signalling flare, distress flare, hand flare, parachute flare, rain rocket, fog signal`,
	blasting:    `gunpowder, propellent powder, dynamite, detonator, detonating cord, detonating cap, percussion cap, safety fuse, blasting cap, blasting gelatine`,
	signals:     `radio, radar, radio set, transceiver, sonar, data link, antenna, satellite terminal`,
	road: `car, coupe, convertible, roadster, hatchback, brake, clutch, exhaust, bumper, windscreen, windshield, headlight, tail light, wheel rim, alloy wheel, tyre, steering wheel, hub cap, spark plug, carburettor, dashboard, sun visor, roof rack, wiper, car mat,
		shock absorber, camshaft, catalytic converter`,
	petSupply: `food, feed, cage, vivarium, terrarium, aviary, perch, treat, litter, leash, feeder, nest box, bird seed, seed mix`,
	spun:      `shahtoosh, vicuna, fur, skin, leather, feather`,
	massDestruction: `nuclear weapon, nuclear bomb, atomic bomb, atomic weapon, nuclear warhead, nuclear explosive, weapons of mass destruction, weapon of mass destruction, wmd, chemical weapon, biological weapon,
		bioweapon, ballistic missile, cruise missile, missile programme, long range missile, uranium enrichment, enrichment of uranium, enriching uranium, isotope separation, enrichment plant, enrichment cascade, plutonium production, spent nuclear fuel for weapon,
		reprocessing of spent nuclear fuel, nuclear fuel reprocessing, nerve gas production, nerve agent production, production of nerve agent, anthrax weapon, dirty bomb, radiological weapon, nuclear test,
		missile production, production of missile, missile guidance, missile development, development of missile, missile propulsion, rocket programme, nuclear weapons programme, centrifuge cascade, weaponisation, weaponised, weapons grade, hypersonic missile, toxic warfare agent, chemical warfare, biological warfare, icbm, heavy water reactor`,
	training: `simulator, trainer`,
	armedForces: forces + `, naval base, people's liberation army, peoples liberation army, tatmadaw, revolutionary guard, irgc, norinco, avic military, rosoboronexport, rostec, almaz antey,
		defence industry, defence contractor, military academy, military unit, military base, military hospital vehicle, security force, interior troop, coast guard armed, artillery, warship, combat unit, military vehicle, frontier corps, rapid support force, presidential guard, intelligence service, ordnance factory, munition factory, arms factory, weapon factory, defence research, military research, general staff`,
	weaponry:      `weapon, missile, munition, ammunition, combat aircraft, fighter aircraft, fighter jet, warship, submarine, battle tank, tank regiment, howitzer, torpedo, artillery, military vehicle, armoured vehicle, military aircraft, attack helicopter, warhead, frigate, military satellite, military radar, military drone`,
	massMarket:    `consumer, retail, household, boxed for retail, sold in shop, sold in shops, mass market, off the shelf, smartphone, smart phone, mobile phone, iphone, android, laptop, tablet, notebook computer, desktop computer, personal computer, pc, television, smart television, smart tv, game console, games console, headphone, earphone, earbud, smart speaker, speaker, smart watch, smartwatch, fitness tracker, home router, broadband router, home broadband, wifi router, webcam, doorbell, printer, usb stick, usb drive, memory stick, e reader, baby monitor, car, antivirus, toy, camera, keyboard, set top box, streaming stick, playstation, xbox, macbook, ipad, monitor, lamp, light bulb, thermostat home, vacuum cleaner`,
	fixedCrypto:   `smart card, bank card, payment terminal, point of sale, cash machine, atm, pos terminal, authentication, digital signature, digital rights management, drm, electronic passport, sim card, access card, key fob, car key, tachograph, toll, set top, medical device, copy protection, password manager, bluetooth headset, one time password, security key, contactless, pay tv, conditional access, wireless headphone, remote control, heart rate, pacemaker, rfid, card reader, integrity check, insulin pump, hearing aid`,
	cryptoProduct: `encryptor, encryption device, encryption appliance, hardware security module, hsm, vpn, ipsec, secure phone, secure telephone, crypto phone, secure radio, encrypted radio, key management, quantum key distribution, link encryptor, secure voice, vpn gateway, cryptographic module, cryptographic device, secure messaging, firewall, encryption software, encryption library, cryptographic library, secure communication, encrypted satellite phone, encrypted storage`,
	networking:    `router, switch, gateway, base station, network, server, radio, modem, access point, controller, telemetry, microwave link, satellite terminal, multiplexer, optical transport, storage array, scada`,
	harmless:      `food, medicine, medical, pharmaceutical, tablet 500 mg, vaccine, insulin, paracetamol, aspirin, antibiotic, drug for, book, textbook, newspaper, wheat, flour, rice, seed, grain, maize, barley, sugar, tea, coffee, fruit, vegetable, potato, bread, biscuit, chocolate, confectionery, milk, butter, cheese, meat, beef, lamb, pork, poultry, chicken, fish, salmon, egg, honey, pasta, juice, water, baby food, infant formula, infant milk, humanitarian, blanket, bandage, dressing, wheelchair, prosthesis, spectacle, hearing aid, contact lens, hygiene, soap, sanitary towel, nappy, tampon, toothpaste, cooking oil, olive oil, oil seed, spice, salt, animal feed, mosquito net, tent for refugee, medicament, bible, bicarbonate`,
	ordinary:      `shirt, t shirt, dress, suit, trouser, jean, skirt, blouse, jacket, coat, sweater, cardigan, jumper, sock, underwear, shoe, boot, sandal, slipper, scarf, hat, cap, glove, belt, towel, bed linen, curtain, carpet, rug, cushion, pillow, duvet, mattress, furniture, table, chair, sofa, bookcase, wardrobe, cupboard, cutlery, plate, cup, mug, glassware, saucepan, kitchenware, toy, doll, game, puzzle, bicycle, football, sports good, pencil, pen, paper, notebook, greeting card, candle, cosmetic, perfume, shampoo, makeup, toothbrush, hairbrush, jewellery, watch, umbrella, suitcase, handbag, bag, wallet, tile, brick, cement, plaster, wallpaper, picture frame, musical instrument, guitar, piano, violin, garden furniture, flower pot, garden tool, wine, beer, whisky, gin, vodka, clothing, garment, textile, fabric, yarn, cotton, wool, leather, footwear`,
	component:     `part, component, assembly, subassembly, housing, bracket, harness, forging, casting, spare, kit, module, insert, connector, seal, gasket, bearing, spring, actuator, pump, valve, shaft, gear, link, blade, panel, battery, cable, sensor, display, unit, plate, tube, transparency`,
	software:      `software, firmware, source code, application, app, sdk, programme code`,
	knowledge:     `technology, technical data, drawing, blueprint, know how, technical assistance, design data, specification, training course, technical documentation, source code, manual`,
	luxury:        `caviar, champagne, cigar, truffle, fur, diamond, pearl, perfume, luxury, yacht, racehorse, thoroughbred, fine wine, watch, jewellery, handbag, designer, art, antique, porcelain, casino, gold, crystal glass`,
	occupation:    `crimea, sevastopol, simferopol, kerch, feodosia, yevpatoria, yalta, mariupol, berdyansk, berdiansk, donetsk, luhansk, lugansk, melitopol, dpr, lpr, enerhodar, kherson left bank`,
	boats:         `inflatable boat, outboard motor, outboard engine, rubber dinghy, rigid inflatable boat, rib boat, rigid inflatable`,
	fuels:         `aviation fuel, jet fuel, jet a 1, aviation kerosene, jet a, aviation turbine fuel`,
	civilNuclear:  `nuclear, nuclear power, nuclear power station, nuclear power plant, nuclear reactor, reactor, uranium`,
	imitation:     `toy, replica, model kit, scale model, costume, fancy dress, prop, film prop, dummy, imitation, souvenir, keyring, key ring, poster, book, dvd, video game, computer game, board game, fridge magnet, ornament, themed, party supply, cosplay, lego, action figure, wooden toy, for children, children, dolls, doll, cushion, chocolate, cake decoration, christmas, halloween, mug, t shirt, soap, candle, plush, gingerbread, marzipan, jigsaw, puzzle, piggy bank, money box, earring, necklace, cufflink, balloon, sticker, decal, keychain, bauble, cookie cutter, biscuit cutter, cake topper, figurine, statuette, novelty, pretend, lookalike, party bag`,
}
