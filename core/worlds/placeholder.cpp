namespace glassformer {}
