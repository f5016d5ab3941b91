/** A client of moto that creates databases and tables of AWS Glue, and users of AWS IAM. */

import assert from 'node:assert/strict'
import { AwsClient } from 'aws4fetch'

/** The account of moto's server. */
export const MOTO_ACCOUNT = '123456789012'

/** The region in which tests create everything. */
export const MOTO_REGION = 'eu-central-1'

/** An access key. */
export interface MotoKey {
  accessKeyId: string
  secretAccessKey: string
}

/** Accepted as long as moto checks no signatures. */
export const ANY_KEY: MotoKey = { accessKeyId: 'AKIAANY', secretAccessKey: 'any' }

/** Calls an operation of AWS Glue. */
export async function callMotoGlue(
  url: string,
  operation: string,
  input: Record<string, unknown>,
  key: MotoKey = ANY_KEY,
): Promise<unknown> {
  const response = await new AwsClient({ ...key, service: 'glue', region: MOTO_REGION }).fetch(
    url,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSGlue.${operation}`,
      },
      body: JSON.stringify({ CatalogId: MOTO_ACCOUNT, ...input }),
    },
  )
  const text = await response.text()
  assert.equal(response.status, 200, `${operation}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Creates a user who may read AWS Glue, and its access key. */
export async function createMotoUser(url: string, name: string): Promise<MotoKey> {
  const client = new AwsClient({ ...ANY_KEY, service: 'iam', region: 'us-east-1' })
  const call = async (Action: string, more: Record<string, string> = {}): Promise<string> => {
    const body = new URLSearchParams({ Action, Version: '2010-05-08', UserName: name, ...more })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await client.fetch(url, { method: 'POST', headers, body: body.toString() })
    const text = await response.text()
    assert.equal(response.status, 200, `${Action}: ${text}`)
    return text
  }
  await call('CreateUser')
  const Statement = [{ Effect: 'Allow', Action: ['glue:Get*'], Resource: '*' }]
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  await call('PutUserPolicy', { PolicyName: 'read', PolicyDocument })
  const answer = await call('CreateAccessKey')
  const find = (tag: string): string =>
    new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(answer)?.[1] ?? assert.fail(answer)
  return { accessKeyId: find('AccessKeyId'), secretAccessKey: find('SecretAccessKey') }
}

/** Starts to check signatures and policies, after this number of further requests. */
export async function requireMotoKeys(url: string, afterRequests: number): Promise<void> {
  const body = String(afterRequests)
  const response = await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body })
  assert.equal(response.status, 200)
}
