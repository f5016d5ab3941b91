/** The documented shapes of messages of chat systems, as strict schemas. */

import { z } from 'zod'
import type { ChatSystem } from '../server/notices/team-channels/chat-message.ts'

const plainText = (charactersMax: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(charactersMax),
    emoji: z.boolean(),
  })

// `<url|label>`, with no other characters that begin markup.
const SLACK_LINK = /^<https?:\/\/[^<>|\s]+\|[^<>|]+>$/

const slack = z.strictObject({
  // In this text, `<` would begin a link or a mention.
  text: z
    .string()
    .min(1)
    .regex(/^[^<>]*$/),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal('header'), text: plainText(150) }),
        z.strictObject({ type: z.literal('section'), text: plainText(3000) }),
        z.strictObject({
          type: z.literal('section'),
          text: z.strictObject({ type: z.literal('mrkdwn'), text: z.string().regex(SLACK_LINK) }),
        }),
        z.strictObject({
          type: z.literal('context'),
          elements: z.array(plainText(3000)).min(1).max(10),
        }),
      ]),
    )
    .min(1)
    .max(50),
})

const textBlock = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z
    .array(
      z.strictObject({
        type: z.literal('TextRun'),
        text: z.string().min(1),
        weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
        size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
        isSubtle: z.boolean().optional(),
      }),
    )
    .min(1),
})

const teams = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.enum(['1.2', '1.3', '1.4', '1.5']),
          body: z.array(textBlock).min(1),
          actions: z
            .array(
              z.strictObject({
                type: z.literal('Action.OpenUrl'),
                title: z.string().min(1),
                url: z.url(),
              }),
            )
            .max(6),
        }),
      }),
    )
    .length(1),
})

// A text paragraph interprets tags such as `<b>` and `<a>`.
const textParagraph = z.strictObject({
  textParagraph: z.strictObject({
    text: z
      .string()
      .min(1)
      .regex(/^[^<>]*$/),
  }),
})

const googlechat = z.strictObject({
  fallbackText: z.string().min(1),
  cardsV2: z
    .array(
      z.strictObject({
        cardId: z.string().min(1),
        card: z.strictObject({
          header: z.strictObject({ title: z.string().min(1) }),
          sections: z.array(
            z.strictObject({
              widgets: z
                .array(
                  z.union([
                    textParagraph,
                    z.strictObject({
                      buttonList: z.strictObject({
                        buttons: z.array(
                          z.strictObject({
                            text: z.string().min(1),
                            onClick: z.strictObject({
                              openLink: z.strictObject({ url: z.url() }),
                            }),
                          }),
                        ),
                      }),
                    }),
                  ]),
                )
                .min(1),
            }),
          ),
        }),
      }),
    )
    .length(1),
})

/** The shape of a message of each system. */
export const CHAT_SHAPES: Readonly<Record<ChatSystem, z.ZodType>> = { slack, teams, googlechat }

/** The maximum size of a message of each system in bytes; that of Slack follows from its blocks. */
export const CHAT_BYTES_MAX: Readonly<Record<ChatSystem, number>> = {
  slack: 100_000,
  teams: 28 * 1024,
  googlechat: 32_000,
}
