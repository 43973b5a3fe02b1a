"""The encoders: the only package beside ``training`` that imports torch.

The base is MiniLM-L6, whose weights come in a package and are checked before they
are used. Two kinds of model stand on it or beside it:

* an *adapted* model: the base, low-rank corrections of its layers and a head that
  compares claim and text (a file of a few megabytes);
* any Hugging Face sequence-classification model, by name or folder.

Both give the logits of (claim, text) pairs; ``Embedder`` gives sentence vectors.
"""
