/// Files to begin with, and what their grammar is made of.
extension FuzzedFormat {
  /// Small files that are all right.
  var samples: [String] {
    switch self {
    case .csv: ["first_name,note\r\nAnn,\"a \"\"b\"\"\r\nc\"\r\nBob,\r\n", "a\n\n\"\"\nb,c\n", ""]
    case .json:
      [
        #"[{"first_name":"Ann","is_favorite":true,"extra":{"a":[1,-2.5e+3,null,{"b":"\u00e9"}]}},{}]"#,
        #"{"first_name":"Zoë","last_name":"Müller","name":"Zoë Müller","phone":"","note":"\ud83d\ude00\n\t\u0000"}"#
          + "\n" + #"{"TEL;TYPE=work":"1","TEL;TYPE=work:2":"2","phone":"3","FN":"x","department":"a;b"}"#,
        #"{"name":"Acme","company":"Acme","email":"a@b","address":"a\r\nb","is_favorite":"1","N":"a;b","x":" "}"#,
        "",
      ]
    case .vcard:
      [
        """
        BEGIN:VCARD\r
        VERSION:4.0\r
        FN:Dr. Zoë Müller\r
        N:Müller;Zoë;Ann,Bea;Dr.;Jr.\r
        ORG:Müller\\, Söhne;Sales\r
        EMAIL;TYPE=home:a@b.example\r
        EMAIL;PREF=1:c@d.example\r
        TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-0100\r
        item1.ADR;LABEL="a:b^nc":;;Street 1\\nBack;Town;Region;12345;Land\r
        item1.X-ABLabel:x\r
        NOTE:folded \r
         line\r
        X-CUSTOMERS-FAVORITE:1\r
        X-CUSTOMERS-EXTRA:{"Fax":"1\\, 2"}\r
        END:VCARD\r\n
        """,
        """
        begin:vcard
        version:3.0
        n:;;;;
        fn:Acme
        org:Acme
        tel;type=pref,cell:1
        tel:2
        tel:3
        categories:a,b
        end:vcard
        BEGIN:VCARD
        END:VCARD

        """, "",
      ]
    case .ldif:
      [
        "version: 1\n\ndn: cn=Ann Lee,dc=example\nobjectclass: person\ncn: Ann Lee\ngivenName: Ann\nsn:: TGVl\n"
          + "mail: a@b.example\nmail: c@d.example\ntelephoneNumber: +1 555\n long\npostalAddress: A 1$Town\n\n"
          + "# note\ndn: cn=Bob,dc=example\ncn: Bob\n",
        "dn: cn=x\nchangetype: add\njpegPhoto:: AAAA\nurl:< file:///x\n", "",
      ]
    case .input:
      [
        "jk\u{1B}[A\u{1B}OB\u{1B}[1;3A\u{1B}[[A\u{1B}[3$\r\t\u{7F}",
        "\u{1B}[<0;3;4M\u{1B}[<32;240;4M\u{1B}[<0;3;4m\u{1B}[M !!", "\u{1B}[200~a\nb\u{1B}[201~山\u{1B}j",
        "\u{1B}[27;5;9~\u{1B}[97:65;3u\u{1B}[?1;2c", "",
      ]
    case .http:
      [
        "GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
        "GET /a?b=c HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n",
        "POST /v1/edits HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nContent-Type: application/json\r\n"
          + "Authorization: Bearer 0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n", "",
      ]
    }
  }

  /// The words and signs of the format.
  var tokens: [[UInt8]] {
    let texts: [String] =
      switch self {
      case .csv: ["\"\"", "\",\"", ",,"]
      case .ldif:
        [
          "\ndn: cn=x\n", "\nmail: ", "\nsn:: ", "::", ":<", "\n ", "#", "-\n", "changetype: modify\n",
          "TGVl", "=",
          ";lang-de: ", "version: 1\n",
        ]
      case .input:
        [
          "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[<", "\u{1B}[200~", "\u{1B}[201~", "M", "m", "~", "u", "A",
          "$",
          "0", "1", "9", "[", "?", "99999999999999999999",
        ]
      case .http:
        [
          "\r\n", "\r\n\r\n", "\n", "\r", "\r\n ", "\r\n\t", " ", ":", ": ", " :", "Host: b\r\n",
          "Content-Length: 2\r\n",
          "Content-Length: +2\r\n", "Transfer-Encoding: chunked\r\n", "Expect: x\r\n", "A:\r\n", "\u{0}",
          "\u{7F}", "//",
          "http://a/", "*", " HTTP/1.1\r\n", " HTTP/2.0\r\n", "GET / HTTP/1.1\r\n", "99999999999999999999",
          ",",
        ]
      case .json:
        [
          "{", "}", "[", "]", "{}", "[]", "null", "true", "false", "0", "-1.5E-7", "1e999", "\\u0000",
          "\\ud83d",
          "\\ude00", "\\n", "\"a\":1,", ",\"name\":\"x\"", ",\"company\":\"x\"", ",\"first_name\":\"y\"",
          ",\"FN\":\"z\"", ",\"phone\":\"\"", ",\"department\":\";\"", ",\"address\":\"\\r\\n\"",
          ",\"URL:2\":\"u\"", ",\"URL\":\"v\"", ",\"TEL;PREF=1\":\"w\"", ",\"X-A\":\"b\\\\\"", "{\"a\":",
        ]
      case .vcard:
        [
          "BEGIN:VCARD\n", "END:VCARD\n", "VERSION:4.0\n", "\nTEL:1", "\nTEL;PREF=1:", "\nTEL;TYPE=pref:2",
          "\nFN:x",
          "\nFN;LANGUAGE=de:y", "\nN:a;b;c;d;e;f", "\nN:;;;x;", "\nORG:;;", "\nORG:a;b", "\nADR:;;;a;b;c;d;e",
          "\nADR:;;;;;;", "\nNOTE:", "\nphone:1", "\ndepartment:;a", "\nURL:http\\://x",
          "\nX-CUSTOMERS-EXTRA:{\"email\":\"q\"}",
          "\nX-CUSTOMERS-EXTRA:{\"URL\":1}", "\nX-CUSTOMERS-EXTRA:{\"is_favorite\":true}",
          "\nX-CUSTOMERS-EXTRA:{\"is_favorite\":\"1\"}", "\nX-CUSTOMERS-EXTRA:{\"is_favorite\":false}",
          "\nX-CUSTOMERS-EXTRA:{\"phone\":\"\"}", "\nX-CUSTOMERS-EXTRA:{\"department\":\"\\;\"}",
          "\nX-CUSTOMERS-EXTRA:{\"name\":\"n\"\\,\"first_name\":\"f\"}", "\nX-CUSTOMERS-FAVORITE:1",
          "\nx-y.z;A=\"b;:\":c", "\\n", "\\,",
          "\\;",
          "\\\\", ";;", "^n", ";PREF=2", ";VALUE=uri", "tel:", ";ENCODING=b", ";ENCODING=QUOTED-PRINTABLE",
        ]
      }
    return texts.map { Array($0.utf8) }
  }
}
