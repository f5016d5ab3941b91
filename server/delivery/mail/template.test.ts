import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailContent } from './mail-text.ts'
import { applyTemplate, readTemplate } from './template.ts'

const LINK = { label: 'Open it', url: 'https://portbook.test/x' }
const BUILT_IN: MailContent = {
  subject: 'Built in',
  paragraphs: [['A sentence.'], [LINK]],
  footer: [['Why you get this.']],
}
const VALUES = { title: 'Orders {{inviter}}', inviter: 'Ada', link: LINK }

function apply(template: object): MailContent {
  const document = JSON.stringify({ templates: { invitation: template } })
  return applyTemplate(BUILT_IN, readTemplate(document, 'invitation'), VALUES)
}

test('readTemplate › is enabled without texts in a document without the type, or of another form', () => {
  const builtIn = { isEnabled: true, subject: undefined, body: undefined }
  const forms = [
    '{}',
    '[]',
    'null',
    '{"templates":null}',
    '{"templates":{"invitation":null}}',
    '{"templates":{"invitation":{"enabled":null,"languages":{"en":{"subject":" ","body":1}}}}}',
    '{"templates":{"invitation":{"languages":[]}}}',
    'not JSON',
  ]
  for (const form of forms) assert.deepEqual(readTemplate(form, 'invitation'), builtIn, form)
  assert.deepEqual(readTemplate('{"templates":{}}', 'constructor'), builtIn)
})

test('readTemplate › prefers English, and otherwise uses the first language', () => {
  const languages = { de: { subject: 'Deutsch' }, en: { subject: 'English' } }
  for (const [texts, subject] of [
    [languages, 'English'],
    [{ de: languages.de }, 'Deutsch'],
  ] as const) {
    const document = JSON.stringify({ templates: { a: { languages: texts } } })
    assert.equal(readTemplate(document, 'a').subject, subject)
  }
})

test('readTemplate › a type can be switched off', () => {
  assert.equal(readTemplate('{"templates":{"a":{"enabled":false}}}', 'a').isEnabled, false)
})

test('applyTemplate › replaces placeholders in the subject and the body, and keeps the small print', () => {
  const content = apply({
    languages: {
      en: { subject: 'Hello {{ inviter }}', body: 'About {{title}}:\r\n\r\n{{link}}\n{{unknown}}' },
    },
  })
  assert.deepEqual(content, {
    subject: 'Hello Ada',
    paragraphs: [
      ['About ', 'Orders {{inviter}}', ':'],
      ['', { label: LINK.url, url: LINK.url }, ''],
      ['', '{{unknown}}', ''],
    ],
    footer: BUILT_IN.footer,
  })
})

test('applyTemplate › adds the link to a body without it, and keeps the texts that are not given', () => {
  assert.deepEqual(apply({ languages: { en: { body: 'Come.' } } }), {
    ...BUILT_IN,
    paragraphs: [['Come.'], [LINK]],
  })
  const subjectOnly = apply({ languages: { en: { subject: 'Come' } } })
  assert.deepEqual(subjectOnly, { ...BUILT_IN, subject: 'Come' })
})

test('applyTemplate › the paragraphs of a list follow the body', () => {
  const template = { isEnabled: true, subject: undefined, body: 'Hello {{inviter}}' }
  assert.deepEqual(applyTemplate(BUILT_IN, template, VALUES, true).paragraphs, [
    ['Hello ', 'Ada', ''],
    ...BUILT_IN.paragraphs,
  ])
})

test('applyTemplate › placeholders with the names of built-in members are texts', () => {
  const { subject } = apply({ languages: { en: { subject: '{{constructor}} {{toString}}' } } })
  assert.equal(subject, '{{constructor}} {{toString}}')
})
