internal import CustomersTestSupport
internal import Testing

/// The page in a real browser, on a list in a file.
@Suite(.onThreads) struct PageTests {}
