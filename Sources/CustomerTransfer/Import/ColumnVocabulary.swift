internal import CustomerStore
internal import CustomersFormats

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
    /// The number of a house.
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
