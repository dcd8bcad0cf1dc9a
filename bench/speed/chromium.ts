import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian, Ubuntu and others put a Chromium. */
export const chromiumPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The browser of this machine; undefined where none was found. */
export const chromiumPath = chromiumPlaces.find(existsSync);

/** A browser that reaches nothing but this machine, with a folder of its own that is gone afterwards. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: String(chromiumPath),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
