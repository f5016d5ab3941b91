/** A line of the log of a test. */
export interface TestLogLine {
  level: string
  /** Null = it is hidden from the reader. */
  message: string | null
  at: string | undefined
}

/** Lists the lines of the log of a test result. */
export function listLogLines(document: unknown): TestLogLine[] {
  const logs = getMember(document, 'logs')
  if (!Array.isArray(logs)) return []
  return logs.map((line) => ({
    level: readText(line, 'level') ?? '',
    message: readMessage(line),
    at: readText(line, 'timestamp'),
  }))
}

function readMessage(line: unknown): string | null {
  const message = typeof line === 'object' ? getMember(line, 'message') : line
  if (message === null) return null
  return typeof message === 'string' ? message : ''
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

function readText(value: unknown, name: string): string | undefined {
  const text = getMember(value, name)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
