internal import CustomerStore

/// The names of columns in files of other programs: whole names, and the words of names such as
/// "Business Phone 2".
///
/// They come from the header rows that these programs write:
/// - Google Contacts: its CSV export, before 2024 ("E-mail 1 - Type") and since ("E-mail 1 - Label");
/// - Outlook and outlook.com: the columns that Exchange accepts in an import of contacts, in English, German,
///   French, Spanish, Italian, Dutch, and Portuguese of Brazil and Portugal;
/// - Thunderbird: the comma-separated export of its address book;
/// - Mailchimp, HubSpot, LinkedIn, Shopify, Salesforce, and Yahoo: the CSV of an audience, of contacts, of
///   connections, of customers, of a report and of an address book;
/// - Apple, Nextcloud, and phones write vCards, which need no names of columns.
enum ColumnVocabulary {
  /// What a word in the name of a column says about its values.
  enum Word: Hashable {
    case kind(ContactLine.Kind), label(String), part(AddressPart)
    /// The whole address, as it is printed.
    case whole
    /// The main value of several, or one that is not.
    case main, secondary
    case houseNumber
    /// The postal code and the city, one after the other.
    case codeAndCity
    /// The column has the labels of another one.
    case type
    case filler
  }

  /// What a whole name means.
  enum Whole: Hashable {
    case field(CustomerField)
    /// A full name.
    case name
    /// "Name" or the same in another language: a first, last, or full name, as the columns beside it say.
    case anyName
    /// A word that is a label beside other words, and alone a phone number with that label.
    case phone(String)
  }

  /// Whole names, folded, without spaces and signs.
  private static let wholes: [(Whole, String)] = [
    (.anyName, "name nom nombre nome naam"),
    (
      .name,
      """
      fullname contactname displayname contact personname customername clientname leadname fileas anzeigename vollstandigername ansprechpartner \
      kontakt kontaktname nomcomplet nomaffiche nombrecompleto nombreparamostrar contacto nomecompleto \
      nomevisualizzato contatto volledigenaam weergavenaam contactpersoon nachnamevorname namevorname \
      vornamenachname lastnamefirstname firstnamelastname nomprenom
      """
    ),
    // Outlook in Italian and Spanish names the column of a phone number only after the place.
    (.phone("work"), "ufficio ufficio2"), (.phone("home"), "abitazione abitazione2 particular"),
  ]

  /// The names of places, and the labels of the phone numbers there.
  static let placesOfPhones = [
    "home": "home", "privat": "home", "domicile": "home", "casa": "home", "thuis": "home",
    "residencial": "home",
    "work": "work", "business": "work", "office": "work", "buro": "work", "geschaftlich": "work",
    "dienstlich": "work", "bureau": "work", "oficina": "work", "werk": "work", "comercial": "work",
    "other": "other",
  ]

  /// The first word of a name that only says whose value it is, as in "Person - First name".
  static let owners: Set = ["person", "contact", "lead", "customer", "client", "kunde"]

  /// The columns of a file that only the program needs which wrote it, by their whole names.
  ///
  /// Some names are found nowhere else; others count only beside one of those.
  static func ofPrograms(_ names: [String]) -> Set<Int> {
    let found = Set(names)
    return Set(
      names.indices.filter { index in
        programs.contains { certain, others in
          certain.contains(names[index]) || others.contains(names[index]) && !certain.isDisjoint(with: found)
        }
      })
  }

  /// Whether the names are those of Outlook in German, which calls the job `Position`, the office `Ort`, and the field of
  /// work `Beruf`.
  static func areOfGermanOutlook(_ names: [String]) -> Bool { names.contains("emailangezeigtername") }

  private static let programs: [(certain: Set<String>, others: Set<String>)] = programNames.map {
    certain, others in
    (Set(certain.split(separator: " ").map(String.init)), Set(others.split(separator: " ").map(String.init)))
  }

  private static let programNames: [(String, String)] = [
    // Outlook.
    (
      "emaildisplayname email2displayname email3displayname directoryserver internetfreebusy",
      "initials priority private sensitivity organizationalidnumber"
    ),
    (
      "emailangezeigtername email2angezeigtername email3angezeigtername verzeichnisserver internetfreigebucht",
      "initialen prioritat privat vertraulichkeit organisationsnr"
    ),
    ("nomcompletdeladressedemessagerie nomevisualizzatopostaelettronica", ""),
    // Mailchimp.
    (
      "gmtoff dstoff leid euid",
      "optinip confirmip confirmtime memberrating latitude longitude timezone cc region lastchanged"
    ),
    // Google: its addresses of photos, and how websites are labeled.
    ("website1label website2label", "photo"),
    // Salesforce.
    (
      "isdeleted systemmodstamp createdbyid lastmodifiedbyid masterrecordid reportstoid isemailbounced jigsawcontactid",
      "accountid ownerid recordtypeid photourl lastvieweddate lastreferenceddate individualid cleanstatus jigsaw"
    ),
    // Thunderbird.
    ("prefermailformat allowremotecontent popularityindex lastmodifieddate", "recordkey"),
    // HubSpot.
    ("createdbyuserid objectcreatedatetime objectlastmodifieddatetime mergedobjectids", "updatedbyuserid"),
  ]

  static let byWhole: [String: Whole] = {
    let fields = [CustomerField.firstName, .lastName, .company, .note, .otherContacts, .tags].map { field in
      (field.column.filter { $0 != "_" }, Whole.field(field))
    }
    let others: [(String, Whole)] = wholes.flatMap { whole, names in
      names.split(separator: " ").map { (String($0), whole) }
    }
    let named: [(String, Whole)] = KnownNames.fields.filter { $0.field.contactKind == nil }.flatMap {
      field, words in
      words.joinedWords.map { ($0, Whole.field(field)) }
    }
    let known: [(String, Whole)] = KnownColumn.allCases.filter { $0.part == nil }.flatMap { column in
      column.words.joinedWords.map { ($0, Whole.field(column.field)) }
    }
    return Dictionary(others + named + known + fields) { first, _ in first }
  }()
}

/// The words of names such as "Business Phone 2".
extension ColumnVocabulary {
  /// Words and phrases of names, folded, separated by commas.
  private static let words: [([Word], String)] = [
    (
      [.kind(.phone), .label("mobile")],
      """
      mobile,mobile phone,cell,cell phone,cellphone,cellular,handy,handynummer,mobil,mobiltelefon,mobilnummer,\
      mobilfunk,portable,tel mobile,movil,celular,telefono movil,cellulare,mobiel,mobiele,mobiele telefoon,\
      telemovel,telefone celular,gsm,sms
      """
    ),
    ([.kind(.phone), .label("telex"), .secondary], "telex"),
    ([.kind(.phone), .label("isdn"), .secondary], "isdn"),
    ([.kind(.phone), .main], "haupttelefon,hoofdtelefoon"),
    ([.kind(.phone), .label("landline")], "landline,festnetz,fijo,fixe"),
    ([.kind(.phone), .label("car"), .secondary], "autotelefon,autotelefoon"),
    (
      [.kind(.phone), .label("radio"), .secondary],
      "funktelefon,radiotelefono,radiotelefoon,radiotelefone,radiofone"
    ),
    (
      [.kind(.phone), .label("callback"), .secondary],
      """
      callback,ruckmeldung,rappel,devolucion de llamada,richiamata automatica,terugbellen,retorno de chamada,\
      tel de resposta
      """
    ),
    (
      [.kind(.phone), .label("text"), .secondary],
      "telefon fur horbehinderte,numero de teletipo,teksttelefoon"
    ),
    ([.kind(.phone), .label("company"), .secondary], "numero de centralita de la organizacion"),
    ([.kind(.fax)], "fax,telefax,faxnummer,telecopie,telecopieur"),
    (
      [.kind(.pager)],
      "pager,beeper,recepteur de radiomessagerie,buscapersonas,cercapersone,semafoon,pieper"
    ),
    (
      [.kind(.address)],
      "postal address,postaladdress,mailing address,streetaddress,addresses,adressen,adresses,adresszeile"
    ),
    ([.kind(.address), .label("home")], "privatadresse,huisadres"),
    ([.kind(.address), .label("work")], "arbeitsadresse,geschaftsadresse,werkadres"),
    ([.whole], "formatted,full,complete"),
    (
      [.part(.poBox)],
      """
      po box,pobox,p o box,postfach,boite postale,b p,apartado postal,apartado,casella postale,caixa postal,\
      postbus,postbusnummer
      """
    ),
    ([.part(.extended)], "extended,extended address,adresszusatz,apartment,suite"),
    (
      [.houseNumber],
      "hausnummer,hausnr,house number,housenumber,house no,street number,streetnumber,huisnummer,numero civico"
    ),
    (
      [.codeAndCity],
      """
      plz ort,plz wohnort,plz stadt,postleitzahl ort,zip city,postcode city,postal code city,code postal ville,cp ville,\
      cp localidad,cp ciudad,codigo postal localidad,cap citta,cap comune,cap localita
      """
    ),
    // Xero writes the postal and the street address so.
    ([.kind(.address), .label("mailing")], "poaddress"), ([.kind(.address)], "saaddress"),
    ([.part(.city), .label("mailing")], "pocity"), ([.part(.city)], "sacity"),
    ([.part(.region), .label("mailing")], "poregion"), ([.part(.region)], "saregion"),
    ([.part(.postalCode), .label("mailing")], "popostal code"), ([.part(.postalCode)], "sapostal code"),
    ([.part(.country), .label("mailing")], "pocountry"), ([.part(.country)], "sacountry"),
    (
      [.label("work")],
      """
      work,business,office,company,geschaftlich,geschaftliche,dienstlich,dienstliche,dienstl,beruflich,berufliche,arbeit,firma,buro,bureau,professionnel,\
      professionnelle,societe,trabajo,laboral,oficina,lavoro,uff,ufficio,societa,werk,zakelijk,zakelijke,\
      bedrijf,comercial,empresa,trabalho
      """
    ),
    (
      [.label("home")],
      """
      home,personal,private,privat,privee,prive,domicile,personnel,personnelle,casa,domicilio,particular,ab,\
      abitazione,thuis,huis,residencial,residencia
      """
    ),
    (
      [.label("other")],
      "other,weitere,weiterer,weiteres,andere,autre,otro,otra,altro,altra,ander,anders,outro,outra"
    ),
    ([.label("mailing")], "mailing"), ([.label("billing")], "billing"), ([.label("shipping")], "shipping"),
    ([.label("car"), .secondary], "car,voiture,carro,coche"),
    ([.label("radio"), .secondary], "radio"), ([.label("text"), .secondary], "tty tdd,tdd tty"),
    (
      [.label("assistant"), .secondary], "assistant,assistants,asst,assistent,assistente,asistente"
    ),
    ([.main], "primary,main,principal,principale,haupt,primar,primare,primaire,primario,preferred"),
    ([.secondary], "secondary,alternate,alt,alternative,additional,second,sekundare,secondaire,secundario"),
    ([.type], "type,typ,label,tipo"),
    (
      [.filler],
      """
      value,default,number,numbers,no,nr,num,nummer,numero,line,code,s,a,o,e,r,l,d,de,del,della,di,do,da,du,des,la,le,\
      el,en,op,of,º,contact,customer,client,person,kunde
      """
    ),
  ]

  static let byPhrase: [String: [Word]] = {
    let fields: [([Word], String)] = KnownNames.fields.compactMap { field, words in
      field.contactKind.map { ([.kind($0)], words) }
    }
    let parts: [([Word], String)] = KnownColumn.allCases.compactMap { column in
      column.part.map { ([.part($0)], column.words) }
    }
    let pairs = (words + fields + parts).flatMap { meanings, phrases in
      phrases.split(separator: ",").map { (String($0), meanings) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
  /// A label in a file, as the names of columns have it: `home` for `Personal` or `* Privat`, `work fax` for
  /// `Fax (geschäftlich)`; any other stays.
  static func label(_ written: String) -> String {
    let plain = written.hasPrefix("* ") ? String(written.dropFirst(2)) : written
    if let words = byPhrase[searchFolded(plain)], words.count == 1, case .label(let label) = words[0] {
      return label
    }
    guard let meaning = ColumnMeaning(plain), let kind = meaning.kind, meaning.part == nil,
      meaning.number == nil, !meaning.label.isEmpty
    else { return written }
    return [.fax, .pager].contains(kind) ? "\(meaning.label) \(kind)" : meaning.label
  }
  /// The most words that a phrase has.
  static let phraseLength = byPhrase.keys.reduce(1) { max($0, $1.split(separator: " ").count) }
}

extension String {
  /// The phrases between commas, each without its spaces.
  fileprivate var joinedWords: [String] { split(separator: ",").map { $0.filter { $0 != " " } } }
}
