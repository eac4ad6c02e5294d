// A static build has no Testing, and no tests.
#if canImport(Testing)
  internal import CustomersSystem
  internal import Foundation
  internal import Synchronization
  public import Testing

  /// Runs the tests of a suite on threads that they may block.
  ///
  /// Swift's own threads are as many as cores. A test that waits for a process, a file, or a lock would hold one, and
  /// the others could not even report that they passed.
  public struct OnThreads: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
      try await withTaskExecutorPreference(TestThreads.shared) { try await body() }
    }
  }

  extension Trait where Self == OnThreads {
    /// On threads that tests may block; each suite that starts programs, opens files, or sleeps has it.
    public static var onThreads: Self { OnThreads() }
  }

  /// A few threads, and the jobs that wait for one.
  private final class TestThreads: TaskExecutor {
    static let shared = TestThreads(count: 8)

    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init(count: Int) {
      for _ in 0..<count { Thread.detachNewThread { [self] in work() } }
    }

    /// The job that came last is next, so that a test that has begun ends before another one begins.
    private func work() -> Never {
      blockSignals()
      while true {
        waiting.wait()
        let job = jobs.withLock { $0.removeLast() }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }

    /// Blocks the signals that Swift's own threads block: a broken pipe is an error there, not the end of the process.
    private func blockSignals() {
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV] { unsafe sigdelset(&signals, fault) }
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
      waiting.signal()
    }
  }
#endif
