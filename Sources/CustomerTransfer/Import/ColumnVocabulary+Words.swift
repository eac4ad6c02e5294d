internal import CustomerStore
internal import CustomersFormats

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
