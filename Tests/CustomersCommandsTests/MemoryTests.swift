import CustomersTestSupport
import Testing

/// Memory that does not grow with the file.
@Suite(.onThreads) struct MemoryTests {
  /// Each list is longer than what one statement places; notes are long, so that growth shows.
  @Test func `import and export of a longer list need no more memory`() throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.shell(
      #"""
      python3 - <<'END'
      import os, subprocess, sys
      def peak(*words, **streams):
          process = subprocess.Popen([os.environ['CUSTOMERS'], *words], **streams)
          _, status, usage = os.wait4(process.pid, 0)
          assert status == 0
          return usage.ru_maxrss
      for rows in (4000, 7000):
          with open('in.csv', 'w') as file:
              file.write('name,note,Room\n')
              for i in range(rows): file.write('Ann %d,%s,%d\n' % (i, 'x' * 1000, i))
          db, out = '%d.sqlite' % rows, '%d.out' % rows
          format = ['--format', 'ndjson']
          first = peak('import', 'in.csv', '-q', '--db', db)
          way_out = peak('export', out, '-q', '--db', db, *format)
          way_in = peak('import', out, '-q', '--db', 'copy-' + db, *format)
          if rows == 4000: before = (first, way_out, way_in)
          else: after = (first, way_out, way_in)
      print(all(b < a + 3000 for a, b in zip(before, after)) or (before, after))
      END
      """#)
    #expect(result == .done("True"))
  }
}
