import type { HttpAnswer, HttpClient } from '../../platform/kit/http-client.ts'

/**
 * Wraps a client of AWS STS. AWS answers with JSON if a request accepts it; other implementations
 * answer with XML, which this converts to the same JSON.
 */
export function acceptXml(http: HttpClient): HttpClient {
  return {
    send: async (request) => toJson(await http.send(request)),
    close: () => http.close(),
  }
}

function toJson(answer: HttpAnswer): HttpAnswer {
  const { status, text } = answer
  if (!text.trimStart().startsWith('<')) return answer
  const json = status === 200 ? toCredentials(text) : toError(text)
  return { ...answer, text: JSON.stringify(json) }
}

function toCredentials(xml: string): unknown {
  const Credentials = {
    AccessKeyId: findText(xml, 'AccessKeyId'),
    SecretAccessKey: findText(xml, 'SecretAccessKey'),
    SessionToken: findText(xml, 'SessionToken'),
    // In JSON it is in seconds since 1970.
    Expiration: Date.parse(findText(xml, 'Expiration') ?? '') / 1000,
  }
  return { AssumeRoleResponse: { AssumeRoleResult: { Credentials } } }
}

function toError(xml: string): unknown {
  return { Error: { Code: findText(xml, 'Code'), Message: findText(xml, 'Message') } }
}

// Keys and codes contain no characters that XML escapes.
function findText(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>\\s*([^<]*?)\\s*</${element}>`).exec(xml)?.[1]
}
