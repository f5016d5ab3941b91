/** A least-recently-used cache with a maximum size in bytes. */
export class ByteCache<Value> {
  readonly #bytesMax: number
  readonly #entries = new Map<string, { value: Value; bytes: number }>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Adds a value of about this many bytes, unless it is larger than the whole cache. */
  set(key: string, value: Value, bytes: number): void {
    this.#delete(key)
    if (bytes > this.#bytesMax) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
