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
    case kind(ContactLine.Kind), label(String), part(PostalAddress.Part)
    /// The whole address, as it is printed.
    case whole
    /// The main value of several, or one that is not.
    case main, secondary
    case houseNumber
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
      fullname contactname displayname contact personname customername clientname leadname fileas anzeigename ansprechpartner \
      kontakt kontaktname nomcomplet nomaffiche nombrecompleto nombreparamostrar contacto nomecompleto \
      nomevisualizzato contatto volledigenaam weergavenaam contactpersoon nachnamevorname namevorname \
      vornamenachname lastnamefirstname firstnamelastname nomprenom
      """
    ),
    (
      .field(.firstName),
      """
      firstname first given givenname forename fname vorname prenom primernombre primeironome voornaam \
      primonome contactfirstname billingfirstname
      """
    ),
    (
      .field(.lastName),
      """
      lastname last family familyname surname lname nachname familienname nomdefamille apellido apellidos \
      primerapellido cognome sobrenome apelido achternaam contactlastname \
      billinglastname
      """
    ),
    (
      .field(.company),
      """
      company companyname organization org organizationname organization1name \
      firm firma firmenname unternehmen business businessname entreprise societe raisonsociale empresa \
      compania nombredelaempresa organizacion societa azienda ragionesociale bedrijf bedrijfsnaam organisatie \
      organizacao accountname associatedcompany employer arbeitgeber defaultaddresscompany billingcompany
      """
    ),
    (.field(.company), "organisation companies"),
    (
      .field(.note),
      """
      note notes comment comments remark remarks notiz notizen bemerkung bemerkungen anmerkungen kommentar \
      remarques commentaire commentaires notas nota observaciones comentarios anotacoes observacoes notities \
      opmerking opmerkingen commenti
      """
    ),
    (
      .field(.tags),
      """
      tags tag labels categories groupmembership kategorien categorias categorie categorieen etiquetas \
      etiquettes etichette schlagworter
      """
    ),
    (.field(.isFavorite), "isfavorite favorite favourite"),
    // Outlook in Italian and Spanish names the column of a phone number only after the place.
    (.phone("work"), "ufficio ufficio2"), (.phone("home"), "abitazione abitazione2 particular"),
  ]

  /// The first word of a name that only says whose value it is, as in "Person - First name".
  static let owners: Set = ["person", "contact", "lead", "customer", "client", "kunde"]

  static let byWhole: [String: Whole] = {
    let fields = [CustomerField.firstName, .lastName, .company, .note, .otherContacts, .tags].map { field in
      (field.column.filter { $0 != "_" }, Whole.field(field))
    }
    let others = wholes.flatMap { whole, names in names.split(separator: " ").map { (String($0), whole) } }
    return Dictionary(others + fields) { first, _ in first }
  }()
}

/// The words of names such as "Business Phone 2".
extension ColumnVocabulary {
  /// Words and phrases of names, folded, separated by commas.
  private static let words: [([Word], String)] = [
    (
      [.kind(.email)],
      """
      e mail,email,mail,emails,e mails,mails,e mailadresse,emailadresse,mailadresse,courriel,messagerie,\
      courrier,courrier electronique,correo,correo electronico,posta elettronica,posta,e mailadres,emailadres,\
      mailadres,correio electronico,correio eletronico,correio
      """
    ),
    (
      [.kind(.phone)],
      """
      phone,phones,telephone,telephones,tel,telefon,telefonnummer,rufnummer,fon,telefono,telefone,telefoon,\
      telefoonnummer
      """
    ),
    (
      [.kind(.phone), .label("mobile")],
      """
      mobile,mobile phone,cell,cell phone,cellphone,cellular,handy,handynummer,mobil,mobiltelefon,mobilnummer,\
      mobilfunk,portable,tel mobile,movil,celular,telefono movil,cellulare,mobiel,mobiele,mobiele telefoon,\
      telemovel,telefone celular,gsm,sms
      """
    ),
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
    ([.kind(.address)], "address,adresse,anschrift,postanschrift,direccion,indirizzo,adres,endereco,morada"),
    (
      [.kind(.address)],
      "postal address,postaladdress,mailing address,streetaddress,addresses,adressen,adresses"
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
      [.part(.street)],
      "street,street address,strasse,straße,str,rue,calle,via,straat,rua,strasse hausnummer,strasse nr"
    ),
    (
      [.houseNumber],
      "hausnummer,hausnr,house number,housenumber,house no,street number,streetnumber,huisnummer,numero civico"
    ),
    // Xero writes the postal and the street address so.
    ([.kind(.address), .label("mailing")], "poaddress"), ([.kind(.address)], "saaddress"),
    ([.part(.city), .label("mailing")], "pocity"), ([.part(.city)], "sacity"),
    ([.part(.region), .label("mailing")], "poregion"), ([.part(.region)], "saregion"),
    ([.part(.code), .label("mailing")], "popostal code"), ([.part(.code)], "sapostal code"),
    ([.part(.country), .label("mailing")], "pocountry"), ([.part(.country)], "sacountry"),
    (
      [.part(.city)],
      """
      city,town,ort,stadt,wohnort,ville,localite,commune,ciudad,localidad,poblacion,municipio,citta,comune,\
      plaats,woonplaats,cidade,localidade
      """
    ),
    (
      [.part(.region)],
      """
      state,province,region,county,bundesland,kanton,departement,dep,provincia,estado,comunidad autonoma,\
      distrito,provincie,regio,regiao,area geografica
      """
    ),
    (
      [.part(.code)],
      """
      zip,zipcode,zip code,postal code,post code,postcode,postalcode,plz,postleitzahl,code postal,cp,\
      codigo postal,cap,cep
      """
    ),
    ([.part(.country)], "country,land,staat,pays,pais,paese,nazione"),
    (
      [.label("work")],
      """
      work,business,office,company,geschaftlich,dienstlich,beruflich,arbeit,firma,buro,bureau,professionnel,\
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
    let pairs = words.flatMap { meanings, phrases in
      phrases.split(separator: ",").map { (String($0), meanings) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
  /// The most words that a phrase has.
  static let phraseLength = byPhrase.keys.reduce(1) { max($0, $1.split(separator: " ").count) }
}
