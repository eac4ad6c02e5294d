internal import CCustomersPage
internal import CustomerFixtures
internal import CustomerStore
internal import Testing

extension PageTests {
  /// What a person sees.
  @Suite struct SeeingTests {
    @Test func `the page needs at most 64,000 bytes`() {
      var count = 0
      for index in 0..<customers_page_file_count() {
        count += unsafe customers_page_file_at(index)?.pointee.count ?? 0
      }
      #expect(count <= 64_000)
    }
  }
}
