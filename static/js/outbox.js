// Answers on their way, one after the other. What does not arrive is sent again with
// the same submission key, so that the server takes it once.

const PAUSES_MS = [1000, 2000, 4000];
const WAITING = "The server cannot be reached. Your answer is kept here and not sent yet.";

/**
 * @typedef {{
 *   article: HTMLElement,
 *   url: string,
 *   data: URLSearchParams,
 *   done: (isTaken: boolean) => void,
 * }} Entry
 */
/** @typedef {{response: Response, text: string}} Answer */
/**
 * @typedef {{
 *   send: (url: string, data: URLSearchParams) => Promise<Response>,
 *   taken: (article: HTMLElement, html: string) => void,
 *   refused: (article: HTMLElement, words: string) => void,
 *   gone: (article: HTMLElement, words: string) => void,
 *   stuck: (article: HTMLElement, words: string) => void,
 *   signedOut: (article: HTMLElement) => void,
 * }} Handlers
 */

export class Outbox {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {Entry[]} */
    this.entries = [];
    this.isBusy = false;
    this.isLeaving = false;
    /** @type {(() => void)[]} */
    this.waiting = [];
  }

  /** Whether leaving the page would lose an answer that has not arrived. */
  get isWaiting() {
    return this.entries.length > 0 && !this.isLeaving;
  }

  /** @returns {HTMLElement[]} what has not been taken yet */
  get articles() {
    return this.entries.map((entry) => entry.article);
  }

  /**
   * @param {HTMLElement} article
   * @param {string} url
   * @param {URLSearchParams} data
   * @returns {Promise<boolean>} whether the server took it
   */
  add(article, url, data) {
    return new Promise((done) => {
      this.entries.push({ article, url, data, done });
      void this.work();
    });
  }

  /** Try again what was given up. */
  retry() {
    void this.work();
  }

  /**
   * Take an answer back that has not arrived.
   * @param {HTMLElement} article
   */
  forget(article) {
    const forgotten = this.entries.filter((entry) => entry.article === article);
    this.entries = this.entries.filter((entry) => entry.article !== article);
    for (const entry of forgotten) entry.done(false);
    if (this.entries.length > 0) void this.work();
  }

  /** @returns {Promise<void>} when nothing is on its way any more */
  settled() {
    if (!this.isBusy) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async work() {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let entry = this.entries[0]; entry; entry = this.entries[0]) {
      const answer = await this.deliver(entry);
      if (!answer) {
        this.handlers.stuck(entry.article, WAITING);
        break;
      }
      this.entries.shift();
      this.answered(entry, answer);
    }
    this.isBusy = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /**
   * Send until there is a whole answer, with longer pauses: the network may go after
   * its first line as well.
   * @param {Entry} entry
   * @returns {Promise<Answer | null>}
   */
  async deliver(entry) {
    for (const pause of [...PAUSES_MS, 0]) {
      try {
        const response = await this.handlers.send(entry.url, entry.data);
        if (response.status < 500) return { response, text: await response.text() };
      } catch {
        // The network: once more.
      }
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return null;
  }

  /**
   * @param {Entry} entry
   * @param {Answer} answer
   */
  answered(entry, { response, text }) {
    const { article } = entry;
    if (response.type === "opaqueredirect" || response.status === 401) {
      this.isLeaving = true;
      this.handlers.signedOut(article);
    } else if (response.ok) {
      this.handlers.taken(article, text);
    } else if (response.status === 409) {
      this.handlers.gone(article, text);
    } else if (response.status === 422) {
      this.handlers.refused(article, text);
    } else {
      this.handlers.refused(article, `Not saved: the server refused it (${response.status}).`);
    }
    entry.done(response.ok);
  }
}
