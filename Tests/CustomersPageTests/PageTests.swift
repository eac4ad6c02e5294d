internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

/// The page in a real browser, on a list in a file.
@Suite(
  .onThreads,
  .enabled(if: SharedBrowser.isExpected, "Ubuntu has no package of a browser for tests; $CHROMIUM names one"))
struct PageTests {}
