/** Returns a function that computes a value at its first call. */
export function lazy<T>(compute: () => T): () => T {
  let result: { value: T } | undefined
  return () => (result ??= { value: compute() }).value
}
