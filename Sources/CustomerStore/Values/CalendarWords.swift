/// The words of dates: months, days of the week, and what else programs write around the numbers.
enum CalendarWords {
  /// A set of languages.
  struct Languages: OptionSet, Hashable, Sendable {
    var rawValue: UInt64

    static let all = Languages(rawValue: .max)
    /// The first of the table.
    static let english = Languages(rawValue: 1)
  }

  /// A month or a day of the week whose name a word is.
  struct Named: Hashable, Sendable {
    /// From 1; a week begins with Monday.
    var number: Int
    var languages: Languages
  }

  /// The months that a folded word means, which may be another one in another language: listopad is October in Croatia
  /// and November in Poland.
  static let months = named(inPart: 1)

  /// The days of the week that a folded word means: so is Sunday in German, and Saturday in Czech.
  static let weekdays = named(inPart: 2)

  /// The languages in which a folded word means nothing in a date.
  static let fillers: [String: Languages] = lines.reduce(into: [:]) { fillers, line in
    for word in line.parts[3].split(separator: " ") {
      fillers[searchFolded(String(word)), default: []].formUnion(line.language)
    }
  }

  /// What is between a day and a time.
  static let beforeClock: Set = [
    "um", "at", "à", "a", "as", "às", "kl", "kl.", "klo", "alle", "om", "ore", "în", "la", "o", "u", "в", "о",
    "у", "saat",
    "pukul", "lúc", "στις", "ora", "a les", "ás", "plkst.",
  ]

  /// The words for the halves of the day.
  static let halves = [
    ("上午", "am"), ("午前", "am"), ("오전", "am"), ("AM", "am"), ("下午", "pm"), ("午後", "pm"), ("오후", "pm"),
    ("PM", "pm"),
    ("ص", "am"), ("م", "pm"), ("π.μ.", "am"), ("μ.μ.", "pm"), ("पूर्वाह्न", "am"), ("अपराह्न", "pm"),
  ]

  /// The day of the week, from 1, of 2026年11月26日木曜日, 2026年11月26日星期四, and 2026년 11월 26일 목요일; nil for any other word.
  static func easternWeekday(_ word: String) -> Int? {
    let before = ["星期", "周", "週"].first(where: word.hasPrefix) ?? ""
    guard word.count <= 3, let name = word.dropFirst(before.count).first else { return nil }
    return ["月火水木金土日", "一二三四五六日", "一二三四五六天", "월화수목금토일"].lazy.compactMap { names in
      Array(names).firstIndex(of: name).map { $0 + 1 }
    }.first
  }

  private static let lines = text.split(separator: "\n").enumerated().map { index, line in
    (
      language: Languages(rawValue: 1 << UInt64(index)),
      parts: line.split(separator: "|", omittingEmptySubsequences: false)
    )
  }

  /// A name in a language, or the beginning of one.
  private struct Form {
    var number: Int
    var language: Languages
    var isWhole: Bool
  }

  /// The names of a part of each line, and their beginnings; a beginning that two of a language have is neither.
  private static func named(inPart part: Int) -> [String: [Named]] {
    var forms: [String: [Form]] = [:]
    for (language, parts) in lines {
      for (index, names) in parts[part].split(separator: " ").enumerated() {
        for name in names.split(separator: "/").map({ searchFolded(String($0)) }) {
          for text in beginnings(of: name) {
            forms[text, default: []].append(
              Form(number: index + 1, language: language, isWhole: text.utf8.count == name.utf8.count))
          }
        }
      }
    }
    return forms.mapValues(named).filter { !$0.value.isEmpty }
  }

  /// What a word means whose forms these are.
  private static func named(_ forms: [Form]) -> [Named] {
    var found: [Named] = []
    let whole = forms.lazy.filter(\.isWhole).reduce(into: Languages()) { $0.formUnion($1.language) }
    for form in forms {
      let isNamed =
        whole.contains(form.language)
        ? form.isWhole : !forms.contains { $0.language == form.language && $0.number != form.number }
      guard isNamed else { continue }
      if let index = found.firstIndex(where: { $0.number == form.number }) {
        found[index].languages.formUnion(form.language)
      } else {
        found.append(Named(number: form.number, languages: form.language))
      }
    }
    return found.sorted { $0.number < $1.number }
  }

  /// A name, and its abbreviations of at least three letters.
  private static func beginnings(of name: String) -> [String] {
    name.indices.dropFirst(3).map { String(name[..<$0]) } + [name]
  }

  /// A language in each line: its name, the months, the days of the week, and other words, from CLDR.
  ///
  /// A month or a day may have several forms, and one of two words.
  private static let text = """
    en|january february march april may june july august september october november december|monday tuesday \
    wednesday thursday friday saturday sunday|the
    de|januar/jänner februar märz/mrz april mai juni juli august september oktober november dezember|montag/mo \
    dienstag/di mittwoch/mi donnerstag/do freitag/fr samstag/sa sonntag/so|den
    fr|janvier février mars avril mai juin juillet août septembre octobre novembre décembre|lundi mardi mercredi \
    jeudi vendredi samedi dimanche|er
    es|enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre|lunes martes \
    miércoles jueves viernes sábado domingo|de del
    it|gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre|lunedì \
    martedì mercoledì giovedì venerdì sabato domenica|
    pt|janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|segunda terça \
    quarta quinta sexta sábado domingo|de feira
    nl|januari februari maart/mrt april mei juni juli augustus september oktober november december|maandag/ma \
    dinsdag/di woensdag/wo donderdag/do vrijdag/vr zaterdag/za zondag/zo|
    sv|januari februari mars april maj juni juli augusti september oktober november december|måndag tisdag \
    onsdag torsdag fredag lördag söndag|
    da|januar februar marts april maj juni juli august september oktober november december|mandag tirsdag onsdag \
    torsdag fredag lørdag søndag|den
    nb|januar februar mars april mai juni juli august september oktober november desember|mandag tirsdag onsdag \
    torsdag fredag lørdag søndag|
    fi|tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta \
    marraskuuta joulukuuta|maanantaina/ma tiistaina/ti keskiviikkona/ke torstaina/to perjantaina/pe \
    lauantaina/la sunnuntaina/su|
    is|janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember|mánudagur þriðjudagur \
    miðvikudagur fimmtudagur föstudagur laugardagur sunnudagur|
    et|jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember|esmaspäev/e \
    teisipäev/t kolmapäev/k neljapäev/n reede/r laupäev/l pühapäev/p|
    lv|janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris \
    decembris|pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena|gada
    lt|sausis/sausio vasaris/vasario kovas/kovo balandžio/balandis gegužės birželis/birželio liepos/liepa \
    rugpjūtis/rugpjūčio rugsėjis/rugsėjo spalio/spalis lapkričio/lapkritis gruodžio/gruodis|pirmadienis/pr \
    antradienis/an trečiadienis/tr ketvirtadienis/kt penktadienis/pn šeštadienis/št sekmadienis/sk|m d
    pl|stycznia/styczeń lutego/luty marzec/marca kwiecień/kwietnia maja czerwiec/czerwca lipiec/lipca \
    sierpnia/sierpień wrzesień/września października listopada grudzień/grudnia|poniedziałek wtorek/wt środa/śr \
    czwartek piątek/pt sobota niedziela|
    cs|leden/ledna února březen/března dubna/duben květen/května června/červen/čvn července/červenec/čvc \
    srpna/srpen září říjen/října listopadu prosince/prosinec|pondělí/po úterý/út středa/st čtvrtek/čt pátek/pá \
    sobota/so neděle/ne|
    sk|januára februára marec/marca apríla mája júna júla augusta september/septembra októbra/október \
    november/novembra december/decembra|pondelok/po utorok/ut streda/st štvrtok/št piatok/pi sobota/so \
    nedeľa/ne|
    sl|januar februar marec april maj junij julij avgust september oktober november december|ponedeljek torek \
    sreda četrtek petek sobota nedelja|
    hr|siječanj/siječnja veljača/veljače ožujak/ožujka travanj/travnja svibanj/svibnja lipnja/lipanj \
    srpnja/srpanj kolovoza rujna/rujan listopada studenoga/studeni prosinac/prosinca|ponedjeljak utorak srijeda \
    četvrtak petak subota nedjelja|
    sr|јануар фебруар март април мај јун јул август септембар октобар новембар децембар|понедељак уторак среда \
    четвртак петак субота недеља|
    sr-Latn|januar februar mart april maj jun jul avgust septembar oktobar novembar decembar|ponedeljak utorak \
    sreda četvrtak petak subota nedelja|
    bs|januar februar mart april maj juni juli august septembar oktobar novembar decembar|ponedjeljak utorak \
    srijeda četvrtak petak subota nedjelja|
    bg|януари февруари март април май юни юли август септември октомври ноември декември|понеделник/пн \
    вторник/вт сряда/ср четвъртък/чт петък/пт събота/сб неделя/нд|г
    mk|јануари февруари март април мај јуни јули август септември октомври ноември декември|понеделник вторник \
    среда четврток петок сабота недела|г
    ru|января/январь февраля/февраль марта апреля/апрель мая/май июнь/июня июль/июля августа сентября/сентябрь \
    октябрь/октября ноябрь/ноября декабрь/декабря|понедельник/пн вторник/вт среда/ср четверг/чт пятница/пт \
    суббота/сб воскресенье/вс|г
    uk|січень/січня лютого/лютий березень/березня квітень/квітня травень/травня червень/червня липень/липня \
    серпень/серпня вересень/вересня жовтень/жовтня листопада грудень/грудня|понеділок/пн вівторок/вт середа/ср \
    четвер/чт пʼятниця/пт субота/сб неділя/нд|р
    be|студзень/студзеня лютага/люты сакавіка красавіка мая/май чэрвеня/чэрвень ліпень/ліпеня жнівень/жніўня \
    верасень/верасня кастрычніка лістапада снежань/снежня|панядзелак/пн аўторак/аў серада/ср чацвер/чц \
    пятніца/пт субота/сб нядзеля/нд|г
    ro|ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie/nov \
    decembrie|luni marți miercuri joi vineri sâmbătă duminică|
    hu|január február március április május június július augusztus szeptember október november december|hétfő/h \
    kedd/k szerda csütörtök/cs péntek/p szombat vasárnap/v|
    el|ιανουάριος/ιανουαρίου φεβρουαρίου/φεβρουάριος μάρτιος/μαρτίου απρίλιος/απριλίου μαΐου/μάιος \
    ιουνίου/ιούνιος ιουλίου/ιούλιος αυγούστου/αύγουστος σεπτεμβρίου/σεπτέμβριος οκτώβριος/οκτωβρίου \
    νοέμβριος/νοεμβρίου δεκεμβρίου/δεκέμβριος|δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή|
    tr|ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık|pazartesi/pzt salı çarşamba \
    perşembe cuma/cum cumartesi/cmt pazar/paz|
    sq|janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor|hënë martë mërkurë enjte \
    premte shtunë diel|e
    ca|gener febrer març abril maig juny juliol agost/ag setembre octubre novembre desembre|dilluns/dl \
    dimarts/dt dimecres/dc dijous/dj divendres/dv dissabte/ds diumenge/dg|de del
    gl|xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro|luns martes \
    mércores xoves venres sábado domingo|de
    ka|იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი \
    დეკემბერი|ორშაბათი სამშაბათი ოთხშაბათი ხუთშაბათი პარასკევი შაბათი კვირა|
    hy|հունվարի/հնվ փետրվարի/փտվ մարտի/մրտ ապրիլի մայիսի/մյս հունիսի/հնս հուլիսի/հլս օգոստոսի/օգս սեպտեմբերի \
    հոկտեմբերի նոյեմբերի դեկտեմբերի|երկուշաբթի երեքշաբթի/երք չորեքշաբթի/չրք հինգշաբթի/հնգ ուրբաթ շաբաթ/շբթ \
    կիրակի|թ
    kk|қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан|дүйсенбі/дс \
    сейсенбі/сс сәрсенбі/ср бейсенбі/бс жұма/жм сенбі/сб жексенбі/жс|ж
    id|januari februari maret april mei juni juli agustus september oktober november desember|senin selasa rabu \
    kamis jumat sabtu minggu|
    ms|januari februari mac april mei jun julai ogos september oktober november disember|isnin selasa rabu \
    khamis jumaat sabtu ahad/ahd|
    he|בינואר/בינו׳/ינואר/ינו׳ בפברואר/פברואר/בפבר׳/פבר׳ במרץ/מרץ באפריל/אפריל/באפר׳/אפר׳ במאי/מאי ביוני/יוני \
    ביולי/יולי באוגוסט/אוגוסט/באוג׳/אוג׳ בספטמבר/ספטמבר/בספט׳/ספט׳ באוקטובר/אוקטובר/באוק׳/אוק׳ \
    בנובמבר/נובמבר/בנוב׳/נוב׳ בדצמבר/בדצמ׳/דצמבר/דצמ׳|שני/ב׳ שלישי/ג׳ רביעי/ד׳ חמישי/ה׳ שישי/ו׳ שבת ראשון/א׳|יום
    ar|يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر|الاثنين الثلاثاء الأربعاء \
    الخميس الجمعة السبت الأحد|
    fa|ژانویهٔ فوریهٔ مارس آوریل مهٔ ژوئن ژوئیهٔ اوت سپتامبر اکتبر نوامبر دسامبر|دوشنبه سه‌شنبه چهارشنبه پنجشنبه \
    جمعه شنبه یکشنبه|
    hi|जनवरी/जन॰ फ़रवरी/फ़र॰ मार्च अप्रैल मई जून जुलाई/जुल॰ अगस्त/अग॰ सितंबर/सित॰ अक्टूबर/अक्टू॰ नवंबर/नव॰ \
    दिसंबर/दिस॰|सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार|
    th|มกราคม/ม.ค กุมภาพันธ์/ก.พ มีนาคม/มี.ค เมษายน/เม.ย พฤษภาคม/พ.ค มิถุนายน/มิ.ย กรกฎาคม/ก.ค สิงหาคม/ส.ค \
    กันยายน/ก.ย ตุลาคม/ต.ค พฤศจิกายน/พ.ย ธันวาคม/ธ.ค|วันจันทร์/จ วันอังคาร/อ วันพุธ/พ วันพฤหัสบดี/พฤ วันศุกร์/ศ \
    วันเสาร์/ส วันอาทิตย์/อา|
    vi||thứ_hai thứ_ba thứ_tư thứ_năm thứ_sáu thứ_bảy chủ_nhật/cn|tháng thg
    """
}
