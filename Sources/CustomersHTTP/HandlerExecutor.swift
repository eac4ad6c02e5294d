internal import Dispatch

/// Runs the handlers of a server on a thread of their own.
///
/// Swift's shared threads are few. Whatever else the program does on them would keep every browser waiting.
final class HandlerExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "customers.handlers")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
