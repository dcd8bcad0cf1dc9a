export type EmbedPriority = 'query' | 'document';

interface Job {
  texts: readonly string[];
  /** Parts of the only text. */
  parts?: readonly string[];
  vectors: Float32Array[];
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

/** The vector of a text; with `parts`, those of the parts behind it. */
export type EmbedText = (text: string, parts?: readonly string[]) => Promise<Float32Array[]>;

/**
 * Runs texts one at a time, queries before documents, even between two texts of one document batch. After each text
 * the event loop gets a turn, since the model itself never yields: that is how a query overtakes.
 */
export class EmbedQueue {
  private readonly jobs: Record<EmbedPriority, Job[]> = { query: [], document: [] };
  private running = false;
  private readonly embedText: EmbedText;

  constructor(embedText: EmbedText) {
    this.embedText = embedText;
  }

  add(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.jobs[priority].push({ texts, vectors: [], resolve, reject });
      void this.drain();
    });
  }

  /** The vector of a query, then those of its parts. */
  addParts(query: string, parts: readonly string[]): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      this.jobs.query.push({ texts: [query], parts, vectors: [], resolve, reject });
      void this.drain();
    });
  }

  /** Rejects whatever has not been finished. */
  clear(error: unknown): void {
    for (const jobs of [this.jobs.query, this.jobs.document]) {
      for (const job of jobs.splice(0)) job.reject(error);
    }
  }

  private async drain(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let job = this.next(); job !== undefined; job = this.next()) {
      await this.step(job);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.running = false;
  }

  private next(): Job | undefined {
    return this.jobs.query[0] ?? this.jobs.document[0];
  }

  private async step(job: Job): Promise<void> {
    try {
      job.vectors.push(...(await this.embedText(job.texts[job.vectors.length] ?? '', job.parts)));
    } catch (error) {
      this.remove(job);
      job.reject(error);
      return;
    }
    if (job.vectors.length < job.texts.length) return;
    this.remove(job);
    job.resolve(job.vectors);
  }

  private remove(job: Job): void {
    for (const jobs of [this.jobs.query, this.jobs.document]) {
      const index = jobs.indexOf(job);
      if (index >= 0) jobs.splice(index, 1);
    }
  }
}
