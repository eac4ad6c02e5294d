// For swift test --sanitize=address, and the programs that it starts.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// Swift keeps bits of its own in pointers of globals, so the leak check takes what they keep for lost.
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif
#endif
