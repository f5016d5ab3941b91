import type { HttpAnswer, HttpClient } from '../../platform/kit/http-client.ts'
import { SourceFailure } from '../connector.ts'
import type { Issued } from '../http/credentials.ts'
import { identityAnswer, roleAnswer } from './answers.ts'
import type { AwsClient } from './aws-client.ts'
import { toRequestFailure } from './aws-error.ts'
import { getEndpoint, type GlueConfiguration } from './configuration.ts'
import type { AwsKey } from './keys.ts'

/** The subject of messages. */
export const STS = 'AWS STS'

/** Every role allows sessions of one hour. */
const SESSION_SECONDS = 3600

// AWS shows it in its audit log.
const SESSION_NAME = 'portbook'

/**
 * Requests a temporary key of the configured role. Errors: those of AwsClient, and SourceFailure auth
 * if the role may not be assumed.
 */
export async function assumeRole(
  client: AwsClient,
  configuration: GlueConfiguration,
): Promise<Issued<AwsKey>> {
  const { roleArn = '', externalId } = configuration
  const issuedAtMs = performance.now()
  const form = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: SESSION_NAME,
    DurationSeconds: String(SESSION_SECONDS),
    ...(externalId === undefined ? {} : { ExternalId: externalId }),
  })
  const result = await client.call(
    {
      url: getEndpoint(configuration, 'sts'),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: form.toString(),
      operation: 'AssumeRole',
    },
    roleAnswer,
  )
  if ('error' in result) {
    const failure = toRequestFailure(STS, result.error, `keys of the role ${roleArn}`)
    if (failure.kind !== 'permission') throw failure
    const message = `The access key may not assume the role ${roleArn}`
    throw new SourceFailure('auth', message, { cause: failure.cause })
  }
  const { Credentials: issued } = result.value.AssumeRoleResponse.AssumeRoleResult
  return {
    value: {
      accessKeyId: issued.AccessKeyId,
      secretAccessKey: issued.SecretAccessKey,
      sessionToken: issued.SessionToken,
    },
    lifetimeSeconds: Math.min(issued.Expiration - Date.now() / 1000, SESSION_SECONDS),
    issuedAtMs,
  }
}

/** Returns the ARN of the user or role that signs requests. Errors: those of AwsClient, and SourceFailure. */
export async function readCallerArn(
  client: AwsClient,
  configuration: GlueConfiguration,
): Promise<string> {
  const form = new URLSearchParams({ Action: 'GetCallerIdentity', Version: '2011-06-15' })
  const result = await client.call(
    {
      url: getEndpoint(configuration, 'sts'),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: form.toString(),
      operation: 'GetCallerIdentity',
    },
    identityAnswer,
  )
  if ('error' in result) throw toRequestFailure(STS, result.error, 'the identity of the account')
  return result.value.GetCallerIdentityResponse.GetCallerIdentityResult.Arn
}

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
  const json = status === 200 ? toResult(text) : toError(text)
  return { ...answer, text: JSON.stringify(json) }
}

function toResult(xml: string): unknown {
  if (xml.includes('<GetCallerIdentityResult>')) {
    const GetCallerIdentityResult = { Arn: findText(xml, 'Arn') }
    return { GetCallerIdentityResponse: { GetCallerIdentityResult } }
  }
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
