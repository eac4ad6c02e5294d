/// A column that most address books have, beside the fields of every customer.
///
/// A list has it once someone uses it, and declares it with its kind then. The parts of the address are in the address. A
/// column of the list that has the name is meant first, whatever it is.
package enum KnownColumn: CaseIterable, Hashable, Sendable {
  case title, middleName, suffix, nickname, department, jobTitle, owner
  case birthday, anniversary, website, lastContact
  case street, city, postalCode, region, country

  /// The column with exactly this title; nil for any other name.
  package init?(_ title: String) {
    guard let found = KnownColumn.allCases.first(where: { $0.title.utf8.elementsEqual(title.utf8) }) else {
      return nil
    }
    self = found
  }

  /// The column that a name means in one of seven languages; nil for any other name.
  package init?(meantBy name: String) {
    guard let field = KnownNames.field(name),
      let found = KnownColumn.allCases.first(where: { $0.field == field })
    else { return nil }
    self = found
  }

  /// The name in the list.
  package var title: String {
    switch self {
    case .title: "Title"
    case .middleName: "Middle name"
    case .suffix: "Suffix"
    case .nickname: "Nickname"
    case .department: "Department"
    case .owner: "Owner"
    case .birthday: "Birthday"
    case .anniversary: "Anniversary"
    case .jobTitle: "Job title"
    case .website: "Website"
    case .lastContact: "Last contact"
    case .street: "Street"
    case .city: "City"
    case .postalCode: "Postal code"
    case .region: "Region"
    case .country: "Country"
    }
  }

  /// What the values are.
  package var values: ColumnKinds.Column {
    switch self {
    case .birthday, .anniversary, .lastContact: ColumnKinds.Column(.date)
    case .website: ColumnKinds.Column(.link)
    case .title, .middleName, .suffix, .nickname, .department, .jobTitle, .owner, .street, .city, .postalCode,
      .region, .country:
      ColumnKinds.Column(.text)
    }
  }

  /// The property of address cards that has it, and the name of its column in lists of older versions; nil for others.
  package var property: String? {
    switch self {
    case .birthday: "BDAY"
    case .anniversary: "ANNIVERSARY"
    case .jobTitle: "TITLE"
    case .nickname: "NICKNAME"
    case .website: "URL"
    case .title, .middleName, .suffix, .department, .owner, .lastContact: nil
    case .street, .city, .postalCode, .region, .country: nil
    }
  }

  /// The part of the address that it is; nil for a column of its own.
  package var part: AddressPart? {
    switch self {
    case .title, .middleName, .suffix, .nickname, .department, .jobTitle, .owner: nil
    case .birthday, .anniversary, .website, .lastContact: nil
    case .street: .street
    case .city: .city
    case .postalCode: .postalCode
    case .region: .region
    case .country: .country
    }
  }

  /// The field in which a list keeps it.
  package var field: CustomerField { part.map(CustomerField.part) ?? .extra(title) }

  /// The names in seven languages, without accents, separated by commas.
  package var words: String {
    switch self {
    case .title:
      "title,name prefix,prefix,salutation,anrede,titel,civilite,tratamiento,titolo,aanhef,tratamento"
    case .middleName:
      """
      middle name,middle,additional name,zweiter vorname,weitere vornamen,deuxieme prenom,segundo nombre,secondo nome,\
      middelste naam,segundo nome
      """
    case .suffix: "suffix,name suffix,namenszusatz,suffixe,sufijo,suffisso,achtervoegsel,sufixo"
    case .nickname: "nickname,nick name,spitzname,surnom,apodo,soprannome,bijnaam"
    case .department:
      """
      department,organization department,organization 1 department,abteilung,departamento,reparto,afdeling
      """
    case .owner: "contact owner,account owner,lead owner"
    case .birthday:
      """
      birthday,birth date,birthdate,date of birth,dob,bday,geburtstag,geburtsdatum,anniversaire,date de naissance,ne e le,nee le,ne le,\
      cumpleanos,fecha de nacimiento,nacimiento,data di nascita,compleanno,geboortedatum,verjaardag,data de nascimento,\
      nascimento
      """
    case .anniversary:
      """
      anniversary,wedding anniversary,wedding day,jahrestag,hochzeitstag,anniversaire de mariage,anniversaire de mariage ou fete,aniversario de bodas,\
      anniversario,anniversario di matrimonio,trouwdag,aniversario de casamento
      """
    case .jobTitle:
      """
      job title,contact title,job position,occupation,profession,organization title,organization 1 title,arbeitstitel,beruf,berufsbezeichnung,fonction,titre de fonction,poste,\
      titre du poste,titre de poste,titre professionnel,intitule du poste,intitule de poste,puesto de trabajo,puesto,cargo,profesion,ocupacion,\
      mansione,posizione,professione,qualifica,functie,functietitel,beroep,funcao,profissao
      """
    case .website:
      """
      website,website 1,website url,web site,web page,webpage,web page 1,website 1 value,homepage,home page,url,personal web page,business web page,\
      personal website,business website,company website,webseite,webseite 1,internetseite,internetadresse,site web,page web,pagina web,\
      sitio web,sito web,webpagina,pagina da web
      """
    case .lastContact:
      """
      last contact,last contacted,last contact date,last activity,last activity date,letzter kontakt,dernier contact,\
      ultimo contacto,ultimo contatto,laatste contact,ultimo contato
      """
    case .street:
      "street,street address,strasse,straße,str,rue,calle,via,straat,rua,strasse hausnummer,strasse hausnr,strasse nr"
    case .city:
      """
      city,town,ort,stadt,wohnort,ville,localite,commune,ciudad,localidad,poblacion,municipio,citta,comune,plaats,\
      woonplaats,cidade,localidade
      """
    case .postalCode:
      """
      zip,zipcode,zip code,postal code,post code,postcode,postalcode,plz,postleitzahl,code postal,cp,codigo postal,cap,cep
      """
    case .region:
      """
      state,province,region,county,bundesland,staat bundesland,kanton,departement,dep,provincia,estado,comunidad autonoma,distrito,provincie,\
      regio,regiao,area geografica
      """
    case .country: "country,land,staat,pays,pais,paese,nazione"
    }
  }
}

/// The names that people and programs give to fields in seven languages: what an import understands, `--set`, `--where`, and
/// the like understand, too.
package enum KnownNames {
  /// The names of fields that every customer has, without accents, separated by commas.
  package static let fields: [(field: CustomerField, words: String)] = [
    (
      .firstName,
      """
      firstname,first,given,given name,forename,fname,vorname,prenom,primer nombre,primeiro nome,voornaam,primo nome,\
      contact first name,billing first name
      """
    ),
    (
      .lastName,
      """
      lastname,last,family,family name,surname,lname,nachname,familienname,nom de famille,apellido,apellidos,\
      primer apellido,cognome,sobrenome,apelido,achternaam,contact last name,billing last name
      """
    ),
    (
      .company,
      """
      company,company name,society,organization,organisation,org,organization name,organization 1 name,firm,firma,firmenname,\
      unternehmen,business,business name,entreprise,societe,raison sociale,empresa,compania,nombre de la empresa,\
      organizacion,societa,azienda,ragione sociale,bedrijf,bedrijfsnaam,organisatie,organizacao,account name,\
      associated company,primary company,employer,arbeitgeber,default address company,billing company,companies
      """
    ),
    (
      .note,
      """
      note,notes,description,comment,comments,remark,remarks,notiz,notizen,bemerkung,bemerkungen,anmerkungen,kommentar,remarques,\
      commentaire,commentaires,notas,nota,observaciones,comentarios,anotacoes,observacoes,notities,opmerking,opmerkingen,\
      commenti
      """
    ),
    (
      .tags,
      """
      tags,tag,labels,categories,group membership,kategorien,categorias,categorie,categorieen,etiquetas,etiquettes,\
      etichette,schlagworter
      """
    ),
    (.isFavorite, "isfavorite,favorite,favourite"),
    (
      .email,
      """
      e mail,email,mail,emails,e mails,mails,e mailadresse,emailadresse,mailadresse,courriel,messagerie,courrier,\
      courrier electronique,correo,correo electronico,posta elettronica,posta,e mailadres,emailadres,mailadres,\
      correio electronico,correio eletronico,correio
      """
    ),
    (
      .phone,
      """
      phone,phones,telephone,telephones,tel,telefon,telefonnummer,rufnummer,fon,telefono,telefone,telefoon,telefoonnummer
      """
    ),
    (.address, "address,adresse,anschrift,postanschrift,direccion,indirizzo,adres,endereco,morada"),
  ]

  /// The field that a name means, which the list may not have yet; nil for a name that means nothing.
  package static func field(_ name: String) -> CustomerField? { byKey[Name(name).key] }

  /// Whether a name says that its values are days, as Geburtsdatum does.
  static func areDates(in name: String) -> Bool {
    has(
      name,
      "date,day,due,since,until,datum,tag,termin,fallig,seit,bis,jour,depuis,echeance,fecha,dia,desde,hasta,data,giorno,"
        + "scadenza,dag,sinds")
  }

  /// Whether a name says that its values are versions.
  static func areVersions(in name: String) -> Bool {
    has(name, "version,versione,versao,versie,firmware,software,release,build,revision")
  }

  /// Whether a word of a name ends with one of these.
  private static func has(_ name: String, _ ends: String) -> Bool {
    let ends = ends.split(separator: ",")
    return Name(name).words.split(separator: " ").contains { word in ends.contains { word.hasSuffix($0) } }
  }

  private static let byKey: [String: CustomerField] = {
    let all = fields.map { ($0.words, $0.field) } + KnownColumn.allCases.map { ($0.words, $0.field) }
    let pairs: [(String, CustomerField)] = all.flatMap { words, field in
      words.split(separator: ",").map { (Name(String($0)).key, field) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
}
